import { Worker } from 'node:worker_threads';
import type { DefinitionText } from '#documents';
import { RUN_LIMITS } from '../limits.ts';
import { CancellationBoard } from '../cancellation-board.ts';
import { UrgentWork } from '../urgent-work.ts';
import type { Breakage, OtherResult, OtherWork, ThreadData, ThreadReply, ThreadRequest } from '../protocol.ts';
import { THREAD_ENTRY } from './thread-entry.ts';

/**
 * Result of one task on a slot of the thread pool (one worker thread and its successors). `terminated`: the task was cancelled and has no
 * result. `stuck`: the task was cancelled, but its thread cannot be ended.
 */
export type SlotAnswer =
  /** Answer to an evaluation, as the content of its frame. The receiver must read or copy the content immediately. */
  | { readonly kind: 'evaluated'; readonly answer: Buffer }
  | { readonly kind: 'done'; readonly result: OtherResult; readonly spentMs: number }
  | { readonly kind: 'terminated'; readonly spentMs: number }
  | { readonly kind: 'stuck'; readonly spentMs: number }
  | { readonly kind: 'broken'; readonly breakage: Breakage; readonly detail: string; readonly spentMs: number };

/**
 * Task for a slot of the thread pool. A slot is one worker thread, which is replaced if a task breaks it. The task is an evaluation,
 * encoded as the bytes that the thread reads, or work of another kind.
 */
export interface Task {
  readonly work: Buffer | OtherWork;
  /** True if the task is background work, which pauses while other work runs. */
  readonly background?: boolean;
  /** Function that receives the end of the task. It is called once. */
  readonly settle: (answer: SlotAnswer) => void;
}

/** Settings of a slot of the thread pool. A slot runs tasks on one thread, and replaces the thread if a task breaks it. */
export interface SlotSettings {
  /** Definition texts by digest. Threads request the texts that they do not have. */
  readonly texts: ReadonlyMap<string, DefinitionText>;
  /** Old-generation heap of a thread, in MB. */
  readonly heapMb: number;
  /**
   * Counter of threads that run regular work. Background work pauses while the counter is not 0. By default, background work never pauses.
   */
  readonly urgent?: UrgentWork;
  /** URL of the program of the threads, or the program's source text. */
  readonly entry?: string | URL;
}

/** Functions that a slot of the thread pool calls when its state changes. A slot is one worker thread and its successors. */
export interface SlotListener<One extends Task> {
  /** Called when the slot is idle again. */
  readonly freed: () => void;
  /**
   * Called with the tasks that did not begin because another task occupies or broke the thread. The tasks are in order and must be run
   * again.
   */
  readonly gaveBack: (tasks: readonly One[]) => void;
}

/**
 * Time in ms after which a running task counts as long, so that the tasks after it are requeued. Measured with 15 small tasks behind a task
 * of half a second. The small tasks take 24 ms at the median with requeuing, and half a second without requeuing.
 */
const REQUEUE_AFTER_MS = 5;

/**
 * Maximum number of consecutive threads that end before they send a message or begin a task. At this number, the slot answers its tasks as
 * `broken`, because the program of the threads cannot be loaded.
 */
const MAX_FAILED_STARTS = 3;

/**
 * Slot of a thread pool: runs tasks one after another on a thread, and replaces the thread if a task breaks it. Each task is cancelled
 * separately. If the thread breaks, only the running task is answered as `broken`. If several threads in succession fail to start, all
 * tasks of the slot are answered as `broken`.
 */
export class ThreadSlot<One extends Task = Task> {
  readonly #texts: ReadonlyMap<string, DefinitionText>;
  readonly #heapMb: number;
  readonly #urgent: UrgentWork;
  readonly #entry: string | URL;
  readonly #listener: SlotListener<One>;
  #board = new CancellationBoard();
  #thread: Worker;
  /**
   * Tasks of the thread. The index is the task's index on the board, the memory that the thread shares with its owner. Undefined for a task
   * that was settled or given back.
   */
  #tasks: (One | undefined)[] = [];
  /** Earliest time at which the running task may have started, by `performance.now()`. */
  #since = 0;
  #grace: { readonly task: number; readonly timer: NodeJS.Timeout } | undefined;
  #requeueTimer: NodeJS.Timeout | undefined;
  /** Result of work other than an evaluation. It is settled when the thread is idle, so that this thread can take the work that follows. */
  #done: Extract<ThreadReply, { readonly type: 'done' }> | undefined;
  #readyAt = Infinity;
  /** True if the current thread has sent at least one message about its tasks. */
  #hasReplied = false;
  /** Number of consecutive threads that ended before they sent a message about a task or began a task. */
  #failedStarts = 0;

  constructor({ texts, heapMb, urgent = new UrgentWork(), entry = THREAD_ENTRY }: SlotSettings, listener: SlotListener<One>) {
    this.#texts = texts;
    this.#heapMb = heapMb;
    this.#urgent = urgent;
    this.#entry = entry;
    this.#listener = listener;
    this.#thread = this.#spawn();
  }

  get idle(): boolean {
    return this.#tasks.length === 0;
  }

  /** Time at which the thread had loaded the engine, by `performance.now()`. It is infinite while the thread still loads the engine. */
  get readyAt(): number {
    return this.#readyAt;
  }

  /**
   * Runs tasks in order. The slot must be idle. If there are several tasks, all must be evaluations, and their number must not exceed
   * {@link BOARD_TASKS}.
   */
  run(tasks: readonly One[]): void {
    if (this.#failedStarts >= MAX_FAILED_STARTS) this.#thread = this.#spawn();
    this.#tasks = [...tasks];
    this.#since = performance.now();
    this.#board.lay(tasks.length);
    const blocks = tasks.map(({ work }) => work).filter((work) => work instanceof Uint8Array);
    const [only] = tasks;
    if (only && !(only.work instanceof Uint8Array)) {
      const { work, background = false } = only;
      this.#thread.postMessage({ type: 'work', work, background } satisfies ThreadRequest);
    } else {
      const bytes = oneBuffer(blocks);
      this.#thread.postMessage(bytes satisfies ThreadRequest, [bytes]);
    }
    if (tasks.length > 1) this.#requeueTimer = setTimeout(() => this.#giveBackWaiting(), REQUEUE_AFTER_MS);
  }

  /**
   * Cancels a task. A task that has not begun is removed. For a running task, sets its cancellation flag, and ends the thread if the work
   * has not stopped within the grace period.
   */
  cancel(task: One): void {
    this.#collectAnswers();
    const index = this.#tasks.indexOf(task);
    if (index < 0) return;
    const state = this.#board.move(index, 'cancel');
    if (state === 'cancelled') return this.#settle(index, { kind: 'terminated', spentMs: 0 });
    if (state !== 'cancelling' || this.#grace?.task === index) return;
    // Only one task runs at a time, so an earlier cancelled task has ended.
    this.#endGrace();
    this.#grace = { task: index, timer: setTimeout(() => this.#endStuck(index), RUN_LIMITS.graceMs) };
  }

  /**
   * Ends the thread permanently. Running work gets no answer. An idle thread receives a request to end, so that it can first store its
   * compiled code. A thread that still loads the engine would receive the request late, so it is terminated.
   */
  end(): void {
    clearTimeout(this.#grace?.timer);
    clearTimeout(this.#requeueTimer);
    this.#thread.removeAllListeners();
    if (this.idle && this.#readyAt < Infinity) this.#thread.postMessage({ type: 'end' } satisfies ThreadRequest);
    else void this.#thread.terminate();
  }

  #spawn(): Worker {
    this.#board = new CancellationBoard();
    this.#readyAt = Infinity;
    this.#hasReplied = false;
    const thread = new Worker(this.#entry, {
      eval: typeof this.#entry === 'string',
      workerData: { board: this.#board.shared, urgent: this.#urgent.shared } satisfies ThreadData,
      env: {},
      resourceLimits: {
        maxOldGenerationSizeMb: this.#heapMb,
        maxYoungGenerationSizeMb: RUN_LIMITS.threadYoungMb,
        stackSizeMb: RUN_LIMITS.threadStackMb,
      },
    });
    thread.on('message', (reply: ThreadReply) => thread === this.#thread && this.#onMessage(reply));
    thread.on('error', (error: Error & { code?: string }) => {
      this.#onThreadLost(thread, error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out of memory' : 'thread exit', error.code ?? error.name);
    });
    thread.on('exit', (code) => this.#onThreadLost(thread, 'thread exit', `the thread ended with code ${code}`));
    return thread;
  }

  #onMessage(reply: ThreadReply): void {
    if (reply === 'ready') {
      this.#readyAt = performance.now();
      return;
    }
    this.#hasReplied = true;
    this.#failedStarts = 0;
    this.#collectAnswers();
    if (reply === 'look') return;
    if (reply === 'idle') return this.#free();
    if (reply.type === 'need') {
      const definitions = reply.digests.map((digest) => this.#texts.get(digest)).filter((text) => text !== undefined);
      return this.#thread.postMessage({ type: 'definitions', definitions } satisfies ThreadRequest);
    }
    const { task } = reply;
    if (reply.type === 'evaluated') this.#settle(task, { kind: 'evaluated', answer: Buffer.from(reply.answer) });
    else if (reply.type === 'done') this.#done = reply;
    else if (reply.type === 'stopped') this.#settle(task, { kind: 'terminated', spentMs: reply.spentMs });
    else this.#settle(task, { kind: 'broken', breakage: 'engine error', detail: reply.detail, spentMs: reply.spentMs });
  }

  /** Settles the tasks whose results were received, or left on the board, the memory that the thread shares with its owner. */
  #collectAnswers(): void {
    const done = this.#done;
    this.#done = undefined;
    if (done) this.#settle(done.task, { kind: 'done', result: done.result, spentMs: done.spentMs });
    for (let index = 0; index < this.#tasks.length; index++) {
      const answer = this.#tasks[index] && this.#board.answerOf(index);
      if (answer) this.#settle(index, { kind: 'evaluated', answer });
    }
  }

  #settle(index: number, answer: SlotAnswer): void {
    const task = this.#tasks[index];
    this.#tasks[index] = undefined;
    this.#since = performance.now();
    if (this.#grace?.task === index) this.#endGrace();
    task?.settle(answer);
  }

  /**
   * Settles the finished tasks. Then gives back the tasks that have not begun, so that other threads can run them, because the running task
   * takes too long.
   */
  #giveBackWaiting(): void {
    this.#collectAnswers();
    const waiting: One[] = [];
    this.#tasks.forEach((task, index) => {
      if (task && this.#board.move(index, 'requeue') === 'queued') {
        waiting.push(task);
        this.#tasks[index] = undefined;
      }
    });
    if (waiting.length > 0) this.#listener.gaveBack(waiting);
  }

  #endStuck(index: number): void {
    this.#grace = undefined;
    this.#collectAnswers();
    // The task has ended meanwhile, and its answer will arrive.
    if (this.#tasks[index] === undefined || this.#board.move(index, 'expire') !== 'terminating') return;
    const [ending, board, since, settle] = [this.#thread, this.#board, this.#since, this.#tasks[index]?.settle];
    this.#tasks[index] = undefined;
    this.#restart();
    void ended(ending).then((isOver) => {
      const kind = board.move(index, isOver ? 'exit' : 'hang') === 'cancelled' ? 'terminated' : 'stuck';
      settle?.({ kind, spentMs: performance.now() - since });
    });
  }

  #onThreadLost(thread: Worker, breakage: Breakage, detail: string): void {
    if (thread !== this.#thread) return;
    this.#collectAnswers();
    const began = this.#tasks
      .map((task, index) => task && this.#board.move(index, 'exit'))
      .findIndex((state) => (state ?? 'queued') !== 'queued');
    const spentMs = performance.now() - this.#since;
    this.#failedStarts = began < 0 && !this.#hasReplied ? this.#failedStarts + 1 : 0;
    if (this.#failedStarts >= MAX_FAILED_STARTS) return this.#giveUp({ breakage, detail: `the thread does not start: ${detail}`, spentMs });
    this.#settle(began, { kind: 'broken', breakage, detail, spentMs });
    this.#restart();
  }

  /** Answers all tasks as `broken`. The next call of {@link run} starts another thread. */
  #giveUp(why: { readonly breakage: Breakage; readonly detail: string; readonly spentMs: number }): void {
    this.#tasks.forEach((task, index) => {
      if (task) this.#board.move(index, 'fail');
      this.#settle(index, { kind: 'broken', ...why });
    });
    this.#free();
  }

  /** Replaces the thread, and gives back the tasks that never ran on the old thread. */
  #restart(): void {
    this.#thread = this.#spawn();
    const innocent = this.#tasks.filter((task) => task !== undefined);
    if (innocent.length > 0) this.#listener.gaveBack(innocent);
    this.#free();
  }

  #free(): void {
    this.#tasks = [];
    this.#endGrace();
    clearTimeout(this.#requeueTimer);
    this.#listener.freed();
  }

  #endGrace(): void {
    clearTimeout(this.#grace?.timer);
    this.#grace = undefined;
  }
}

/**
 * Ends a thread. Resolves to false if the thread still runs after {@link RUN_LIMITS.killAfterMs}, because V8 cannot interrupt a native
 * call.
 */
async function ended(thread: Worker): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), RUN_LIMITS.killAfterMs);
  void thread.terminate().then(() => resolve(true));
  const isOver = await promise;
  clearTimeout(timer);
  return isOver;
}

/** Returns the blocks concatenated in one buffer, which can be transferred to a thread. */
function oneBuffer(blocks: readonly Buffer[]): ArrayBuffer {
  const [first, ...others] = blocks;
  if (first && others.length === 0 && first.byteLength === first.buffer.byteLength && first.buffer instanceof ArrayBuffer)
    return first.buffer;
  const bytes = new Uint8Array(blocks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    bytes.set(block, at);
    at += block.length;
  }
  return bytes.buffer;
}
