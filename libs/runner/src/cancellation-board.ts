import type { CancellationToken } from '#go';
import { nextState, TASK_STATES } from './task-life.ts';
import type { TaskEvent, TaskState } from './task-life.ts';

/** Numbers for each task: its state, and the place and the length of its answer. */
const FIELDS = 3;
const [AT, LENGTH] = [1, 2];
const [QUEUED, CANCELLING, TERMINATING] = (['queued', 'cancelling', 'terminating'] as const).map((state) => TASK_STATES.indexOf(state)) as [
  number,
  number,
  number,
];

/** Tasks that a thread is given at once at most. */
export const BOARD_TASKS = 32;
/** Room for the answers of all of them, bytes; an answer that does not fit is a message of its own. */
const ANSWER_BYTES = 64 * 1024;

/** The memory that a board's two sides share. */
export interface SharedBoard {
  readonly states: SharedArrayBuffer;
  readonly answers: SharedArrayBuffer;
}

/**
 * The states (`task-life.ts`) and answers of the tasks that a thread got at once, shared by the thread and its owner. A thread that runs a task hears no
 * messages. Meanwhile the owner can read earlier answers, cancel the task, and requeue the tasks behind it.
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

  /** Owner: so many tasks are given to the thread, which has none. */
  lay(tasks: number): void {
    for (let task = 0; task < tasks; task++) {
      Atomics.store(this.#states, task * FIELDS + LENGTH, 0);
      Atomics.store(this.#states, task * FIELDS, QUEUED);
      this.move(task, 'assign');
    }
  }

  /** Moves a task on by an event of either side, and returns its state then. Throws if its life has no such event. */
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

  /** Owner: the answer that the thread left on the board, to be copied before the thread is given more; undefined where there is none. */
  answerOf(task: number): Buffer | undefined {
    if (this.stateOf(task) !== 'done') return undefined;
    const length = Atomics.load(this.#states, task * FIELDS + LENGTH);
    const at = Atomics.load(this.#states, task * FIELDS + AT);
    return length === 0 ? undefined : this.#answers.subarray(at, at + length);
  }

  /** Thread: the answers of earlier tasks are no longer needed. */
  wipe(): void {
    this.#answerBytes = 0;
  }

  /** Thread: leaves an answer on the board. False where there is no room for it. */
  leave(task: number, answer: Uint8Array): boolean {
    const at = this.#answerBytes;
    if (at + answer.length > ANSWER_BYTES) return false;
    this.#answers.set(answer, at);
    this.#answerBytes += answer.length;
    Atomics.store(this.#states, task * FIELDS + AT, at);
    Atomics.store(this.#states, task * FIELDS + LENGTH, answer.length);
    return true;
  }

  /** Thread: the token of the task that runs. */
  token(): TaskToken {
    return new TaskToken(this.#states);
  }
}

/** The cancellation token of one task after the other: a poll is one load of shared memory. */
class TaskToken implements CancellationToken {
  readonly #states: Int32Array;
  #place = 0;

  constructor(states: Int32Array) {
    this.#states = states;
  }

  /** Makes it the token of a task. */
  follow(task: number): void {
    this.#place = task * FIELDS;
  }

  get cancelled(): boolean {
    const state = Atomics.load(this.#states, this.#place);
    return state === CANCELLING || state === TERMINATING;
  }
}
