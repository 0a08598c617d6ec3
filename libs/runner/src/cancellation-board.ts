import type { CancellationToken } from '#go';
import { nextState, TASK_STATES } from './task-life.ts';
import type { TaskEvent, TaskState } from './task-life.ts';

/** Number of integers per task: the state, and the offset and the length of the answer. */
const FIELDS = 3;
const [AT, LENGTH] = [1, 2];
const [QUEUED, CANCELLING, TERMINATING] = (['queued', 'cancelling', 'terminating'] as const).map((state) => TASK_STATES.indexOf(state)) as [
  number,
  number,
  number,
];

/** Tasks that a thread is given at once at most. */
export const BOARD_TASKS = 32;
/** Space in bytes for the answers of all tasks of a board. An answer that does not fit is sent as a separate message. */
const ANSWER_BYTES = 64 * 1024;

/** The memory that a board's two sides share. */
export interface SharedBoard {
  readonly states: SharedArrayBuffer;
  readonly answers: SharedArrayBuffer;
}

/**
 * Board with the states (`task-life.ts`) and answers of the tasks that a thread received at once. The thread and its owner share the board,
 * because a thread that runs a task processes no messages. Meanwhile the owner can read earlier answers, cancel the task, and requeue the
 * tasks after it.
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

  /** Called by the owner: assigns `tasks` tasks to the thread, which must have no tasks. */
  lay(tasks: number): void {
    for (let task = 0; task < tasks; task++) {
      Atomics.store(this.#states, task * FIELDS + LENGTH, 0);
      Atomics.store(this.#states, task * FIELDS, QUEUED);
      this.move(task, 'assign');
    }
  }

  /** Applies an event of either side to a task and returns the new state. Throws if the task's state machine does not allow the event. */
  move(task: number, event: TaskEvent): TaskState {
    for (;;) {
      const state = this.stateOf(task);
      const next = nextState(state, event);
      const [from, to] = [TASK_STATES.indexOf(state), TASK_STATES.indexOf(next)];
      if (Atomics.compareExchange(this.#states, task * FIELDS, from, to) === from) return next;
    }
  }

  /** Returns the state of a task. */
  stateOf(task: number): TaskState {
    return TASK_STATES[Atomics.load(this.#states, task * FIELDS)] ?? 'queued';
  }

  /**
   * Called by the owner: returns the answer that the thread left on the board, or undefined if there is none. The answer must be copied
   * before the thread receives further tasks.
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

  /** Called by the thread: leaves an answer on the board. Returns false if there is no room for the answer. */
  leave(task: number, answer: Uint8Array): boolean {
    const at = this.#answerBytes;
    if (at + answer.length > ANSWER_BYTES) return false;
    this.#answers.set(answer, at);
    this.#answerBytes += answer.length;
    Atomics.store(this.#states, task * FIELDS + AT, at);
    Atomics.store(this.#states, task * FIELDS + LENGTH, answer.length);
    return true;
  }

  /** Called by the thread: returns the cancellation token of the running task. */
  token(): TaskToken {
    return new TaskToken(this.#states);
  }
}

/** Cancellation token that is used for one task after another. Each check is a single load from shared memory. */
class TaskToken implements CancellationToken {
  readonly #states: Int32Array;
  #place = 0;

  constructor(states: Int32Array) {
    this.#states = states;
  }

  /** Assigns the token to a task. */
  follow(task: number): void {
    this.#place = task * FIELDS;
  }

  get cancelled(): boolean {
    const state = Atomics.load(this.#states, this.#place);
    return state === CANCELLING || state === TERMINATING;
  }
}
