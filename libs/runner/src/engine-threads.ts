import { availableParallelism } from 'node:os';
import { chunkBytes } from '#documents';
import type { DefinitionText } from '#documents';
import { NOT_RUN } from './engine.ts';
import type { Engine, RunAnswer, RunSettings } from './engine.ts';
import { blockOf, evaluationFrame, readAnswer } from './frames/evaluation-frame.ts';
import { ThreadPool } from './host/thread-pool.ts';
import type { Task, SlotAnswer, ThreadSlot } from './host/thread-slot.ts';
import { HostTexts } from './host-texts.ts';
import { RUN_LIMITS } from './limits.ts';
import type { ResultOf, Work, WorkResult } from './protocol.ts';

/** A task, with the data by which the engine decides whether to start another thread. */
interface PooledTask extends Task {
  /** The amount of work, in bytes of objects. */
  readonly weight: number;
  readonly definitions: readonly DefinitionText[];
  /** Time at which the task was requested, as returned by `performance.now()`. */
  readonly requestedAt: number;
}

/**
 * Amount of waiting work, in bytes of objects, above which another thread is started. A thread needs 50 ms of CPU time to load the engine.
 * Its code is slow at first. Less work does not justify a thread.
 */
const WORTH_A_THREAD_BYTES = 512 * 1024;
/** Waiting time in ms after which another thread is started even for less work. It begins when all threads have loaded the engine. */
const PATIENCE_MS = 400;

/** Maximum number of threads, and the heap size of each thread. */
export interface EngineThreadsSettings {
  /** Maximum number of threads; by default, the number of cores. */
  readonly threads?: number;
  /** Old-generation heap of each thread, in MB. A thread that exceeds it is replaced. */
  readonly threadHeapMb?: number;
}

/**
 * Engine that runs as threads of the calling process, for callers that trust their documents. A document that exhausts the heap of a thread
 * ends this thread. V8 may still abort the whole process, for example if the system has no memory left. Only {@link EngineHost} prevents
 * this. A thread starts only if there is enough work and no thread is idle. A small batch therefore uses one thread.
 */
export class EngineThreads implements Engine {
  readonly threads: number;
  readonly #texts = new Map<string, DefinitionText>();
  readonly #kept = new HostTexts(RUN_LIMITS.hostTextBytes);
  readonly #pool: ThreadPool<PooledTask>;
  readonly #open = new Set<PooledTask>();
  #growthTimer: NodeJS.Timeout | undefined;
  #isStarted = false;
  #stopped = false;

  constructor({ threads = availableParallelism(), threadHeapMb = RUN_LIMITS.threadHeapMb }: EngineThreadsSettings = {}) {
    this.threads = Math.max(1, threads);
    this.#pool = new ThreadPool({ threads: this.threads, threadHeapMb, texts: this.#texts, grows: (...state) => this.#grows(...state) });
  }

  /** Starts the first thread, so that the thread loads the engine while the caller reads its input. */
  start(): void {
    if (!this.#isStarted) this.#pool.start();
    this.#isStarted = true;
  }

  /** Ends all threads. Work that waits or runs is answered as cancelled. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#growthTimer);
    for (const task of this.#open) task.settle({ kind: 'terminated', spentMs: 0 });
    this.#pool.end();
  }

  /** Runs one task on a thread. Never rejects. If the answer is `broken`, this task itself broke the thread, never another task. */
  run<One extends Work>(work: One, { definitions = [], signal }: RunSettings = {}): Promise<RunAnswer<ResultOf<One>>> {
    return new Promise((resolve) => {
      if (signal?.aborted || this.#stopped) return resolve(NOT_RUN);
      const onAbort = (): void => this.#pool.cancel(task);
      const task: PooledTask = {
        work: work.kind === 'evaluate' ? blockOf(evaluationFrame(0, work)) : work,
        settle: (answer) => {
          signal?.removeEventListener('abort', onAbort);
          this.#open.delete(task);
          // TypeScript cannot see that the type of the answer belongs to the kind of `work`.
          resolve(runAnswer(answer) as RunAnswer<ResultOf<One>>);
        },
        weight: weightOf(work),
        definitions,
        requestedAt: performance.now(),
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#open.add(task);
      this.#keep(definitions);
      this.#pool.take(task);
      this.#pool.dispatch();
    });
  }

  /** Returns true if the waiting work justifies another thread. Otherwise schedules another check for a later time. */
  #grows(queued: readonly PooledTask[], slots: readonly ThreadSlot<PooledTask>[]): boolean {
    this.#isStarted = true;
    const bytes = queued.reduce((sum, { weight }) => sum + weight, 0);
    // A thread that still loads the engine may be ready sooner than a new thread. So the wait counts only from the time when it is ready.
    const waitsSince = Math.max(queued[0]?.requestedAt ?? 0, ...slots.map(({ readyAt }) => readyAt));
    const isWorth = slots.length === 0 || bytes >= WORTH_A_THREAD_BYTES || performance.now() - waitsSince >= PATIENCE_MS;
    if (!isWorth)
      this.#growthTimer ??= setTimeout(() => {
        this.#growthTimer = undefined;
        this.#pool.dispatch();
      }, PATIENCE_MS);
    return isWorth;
  }

  #keep(definitions: readonly DefinitionText[]): void {
    for (const definition of definitions) if (this.#kept.use(definition)) this.#texts.set(definition.digest, definition);
    const inUse = (): Set<string> => new Set([...this.#open].flatMap((task) => task.definitions.map(({ digest }) => digest)));
    for (const digest of this.#kept.trim(inUse)) this.#texts.delete(digest);
  }
}

function runAnswer(answer: SlotAnswer): RunAnswer<WorkResult> {
  if (answer.kind === 'evaluated') return { kind: 'done', ...readAnswer(answer.answer) };
  return answer.kind === 'terminated' || answer.kind === 'stuck' ? { kind: 'cancelled', spentMs: answer.spentMs } : answer;
}

/** Factor by which the verdict on a definition takes longer to compute than the verdicts on objects with the same total size in bytes. */
const DEFINITION_WEIGHT = 8;

/** Returns the amount of work in a task, in bytes of objects. */
function weightOf(work: Work): number {
  switch (work.kind) {
    case 'documents':
      return work.bytes.length;
    case 'evaluate':
      return chunkBytes(work.items);
    case 'what-if':
    case 'measure':
      return work.items.bytes.length;
    case 'explain':
      return DEFINITION_WEIGHT * (1 + (work.others?.length ?? 0)) * work.definition.slice.bytes.length;
    case 'judge':
    case 'causes':
      return DEFINITION_WEIGHT * work.definition.slice.bytes.length;
    case 'bounds':
    case 'ceilings':
      return DEFINITION_WEIGHT * work.servers.length * work.definition.bytes.length;
    case 'expression':
      return typeof work.definition === 'string' ? 0 : DEFINITION_WEIGHT * work.definition.slice.bytes.length;
    case 'judge-each':
    case 'judge-sequence':
      return work.definitions.reduce((sum, { slice }) => sum + DEFINITION_WEIGHT * slice.bytes.length, 0);
    case 'judge-update':
      return DEFINITION_WEIGHT * work.to.slice.bytes.length;
    case 'review-policies':
      return DEFINITION_WEIGHT * work.policies.slice.bytes.length;
    case 'grow':
    case 'study':
    case 'study-policy':
      return WORTH_A_THREAD_BYTES;
  }
}
