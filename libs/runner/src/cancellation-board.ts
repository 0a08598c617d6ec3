import type { CancellationToken } from '#go';
import { nextState, TASK_STATES } from './task-life.ts';
import type { TaskEvent, TaskState } from './task-life.ts';

/** Number of integers that the shared memory board has per task: the task's state, and the offset and length of its answer in bytes. */
const FIELDS = 3;
const [AT, LENGTH] = [1, 2];
const [QUEUED, CANCELLING, TERMINATING] = (['queued', 'cancelling', 'terminating'] as const).map((state) => TASK_STATES.indexOf(state)) as [
  number,
  number,
  number,
];

/**
 * Maximum number of tasks that a thread receives at once. The board (shared memory for the states and answers of a thread's tasks) has room
 * for this number of tasks.
 */
export const BOARD_TASKS = 32;
/**
 * Size in bytes of the shared memory for the answers to all tasks that one thread has. An answer that does not fit is sent as a separate
 * message.
 */
const ANSWER_BYTES = 64 * 1024;

/** Memory that a worker thread shares with the thread that assigns its tasks. It contains the states of the tasks and their answers. */
export interface SharedBoard {
  readonly states: SharedArrayBuffer;
  readonly answers: SharedArrayBuffer;
}

/**
 * Shared memory with the states (`task-life.ts`) and answers of the tasks that a thread received in one message. Shared memory is needed
 * because a thread that runs a task processes no messages. While a task runs, the owner of the thread can read earlier answers, cancel the
 * task, and requeue the tasks after it.
 */
export class CancellationBoard {
  readonly shared: SharedBoard;
  readonly #states: Int32Array;
  readonly #answers: Buffer;
  #answerBytes = 0;

  constructor(
    shared: SharedBoard = {
      states: new SharedArrayBuffer(BOARD_TASKS * FIELDS * Int32Array.BYTES_PER_ELEMENT),
      answers: new SharedArrayBuffer(ANSWER_BYTES),
    },
  ) {
    this.shared = shared;
    this.#states = new Int32Array(shared.states);
    this.#answers = Buffer.from(shared.answers);
  }

  /** Called by the owner: assigns `tasks` tasks to the thread. All earlier tasks of the thread must be finished. */
  lay(tasks: number): void {
    for (let task = 0; task < tasks; task++) {
      Atomics.store(this.#states, task * FIELDS + LENGTH, 0);
      Atomics.store(this.#states, task * FIELDS, QUEUED);
      this.move(task, 'assign');
    }
  }

  /**
   * Applies an event of the thread or of the owner to the task with index `task` and returns the new state. Throws if the task's state
   * machine does not allow the event.
   */
  move(task: number, event: TaskEvent): TaskState {
    for (;;) {
      const state = this.stateOf(task);
      const next = nextState(state, event);
      const [from, to] = [TASK_STATES.indexOf(state), TASK_STATES.indexOf(next)];
      if (Atomics.compareExchange(this.#states, task * FIELDS, from, to) === from) return next;
    }
  }

  /** Returns the state of a task. `task` is the index of the task on the board, from 0. */
  stateOf(task: number): TaskState {
    return TASK_STATES[Atomics.load(this.#states, task * FIELDS)] ?? 'queued';
  }

  /**
   * Called by the owner: returns the answer that the thread wrote to the shared memory board. Returns undefined if the task is not done or
   * its answer is not on the board. The owner must copy the answer before the thread receives more tasks.
   */
  answerOf(task: number): Buffer | undefined {
    if (this.stateOf(task) !== 'done') return undefined;
    const length = Atomics.load(this.#states, task * FIELDS + LENGTH);
    const at = Atomics.load(this.#states, task * FIELDS + AT);
    return length === 0 ? undefined : this.#answers.subarray(at, at + length);
  }

  /** Called by the thread: discards the answers of earlier tasks. */
  wipe(): void {
    this.#answerBytes = 0;
  }

  /**
   * Called by the thread: writes the answer of the task with index `task` to the shared memory board. Returns false if the answer does not
   * fit into the remaining space.
   */
  leave(task: number, answer: Uint8Array): boolean {
    const at = this.#answerBytes;
    if (at + answer.length > ANSWER_BYTES) return false;
    this.#answers.set(answer, at);
    this.#answerBytes += answer.length;
    Atomics.store(this.#states, task * FIELDS + AT, at);
    Atomics.store(this.#states, task * FIELDS + LENGTH, answer.length);
    return true;
  }

  /** Called by the thread: returns a cancellation token that can follow each task of the shared memory board. */
  token(): TaskToken {
    return new TaskToken(this.#states);
  }
}

/** Cancellation token that is used for one task after another. Each check is a single read of shared memory. */
class TaskToken implements CancellationToken {
  readonly #states: Int32Array;
  #place = 0;

  constructor(states: Int32Array) {
    this.#states = states;
  }

  /** Makes the token report the cancellation of the task with index `task` from now on. */
  follow(task: number): void {
    this.#place = task * FIELDS;
  }

  get cancelled(): boolean {
    const state = Atomics.load(this.#states, this.#place);
    return state === CANCELLING || state === TERMINATING;
  }
}
