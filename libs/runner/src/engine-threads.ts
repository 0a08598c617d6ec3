import { availableParallelism } from 'node:os';
import { chunkBytes } from '#evaluation';
import type { DefinitionText } from '#evaluation';
import { NOT_RUN } from './engine.ts';
import type { Engine, RunAnswer, RunSettings } from './engine.ts';
import { readAnswer } from './frames/answer-frame.ts';
import { blockOf, evaluationFrame } from './frames/evaluation-frame.ts';
import { ThreadSlot } from './host/thread-slot.ts';
import type { Piece, SlotAnswer } from './host/thread-slot.ts';
import { HostTexts } from './host-texts.ts';
import { RUN_LIMITS } from './limits.ts';
import type { ResultOf, Work, WorkResult } from './protocol.ts';

/** A piece of work that waits for a thread, or runs on one. */
interface Task {
  readonly work: Work;
  readonly definitions: readonly DefinitionText[];
  readonly finish: (answer: RunAnswer<WorkResult>) => void;
  /** When it was asked for, as `performance.now()` counts. */
  readonly askedAt: number;
  /** Takes it from its thread, where it runs. */
  stop?: () => void;
  /** The form in which its thread has it. */
  piece?: Piece;
}

/** Loading the engine takes a thread 150 ms of CPU: a further thread is started for waiting work of so many bytes ... */
const WORTH_A_THREAD_BYTES = 512 * 1024;
/** ... or for what has waited for so long. */
const PATIENCE_MS = 400;

/** How many threads there are at most, and how large they are. */
export interface EngineThreadsSettings {
  /** Default: one for each core. */
  readonly threads?: number;
  /** Old-generation heap of a thread, MB; a thread that exceeds it is replaced. */
  readonly threadHeapMb?: number;
}

/**
 * The engine as threads of the process that asks, for whoever trusts what is judged as far as memory goes: a growing Map aborts the process,
 * which the engine host would contain. A thread is started when there is enough work for it and none is idle, so that a small batch takes one.
 */
export class EngineThreads implements Engine {
  readonly threads: number;
  readonly #heapMb: number;
  readonly #texts = new Map<string, DefinitionText>();
  readonly #kept = new HostTexts(RUN_LIMITS.hostTextBytes);
  readonly #slots: ThreadSlot[] = [];
  readonly #waiting: Task[] = [];
  readonly #running = new Set<Task>();
  #patience: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor({ threads = availableParallelism(), threadHeapMb = RUN_LIMITS.threadHeapMb }: EngineThreadsSettings = {}) {
    this.threads = Math.max(1, threads);
    this.#heapMb = threadHeapMb;
  }

  /** Starts the first thread, so that it loads the engine while its work is being read. */
  start(): void {
    if (this.#slots.length === 0) this.#addSlot();
  }

  /** Ends all threads. Work that waits or runs is answered as cancelled. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#patience);
    for (const task of [...this.#waiting.splice(0), ...this.#running]) task.finish(NOT_RUN);
    for (const slot of this.#slots.splice(0)) slot.end();
  }

  /** Runs one piece of work on a thread. Never rejects. A breakage is always its own: each runs on a thread of its own. */
  run<One extends Work>(work: One, { definitions = [], signal }: RunSettings = {}): Promise<RunAnswer<ResultOf<One>>> {
    return new Promise((resolve) => {
      if (signal?.aborted || this.#stopped) return resolve(NOT_RUN);
      const onAbort = (): void => this.#cancel(task);
      const finish = (answer: RunAnswer<WorkResult>): void => {
        signal?.removeEventListener('abort', onAbort);
        // What comes back from the thread that was given this work is the result of its kind.
        resolve(answer as RunAnswer<ResultOf<One>>);
      };
      const task: Task = { work, definitions, finish, askedAt: performance.now() };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(task);
      this.#dispatch();
    });
  }

  #dispatch(): void {
    while (this.#waiting.length > 0) {
      const slot = this.#slots.find(({ idle }) => idle) ?? (this.#wantsSlot() ? this.#addSlot() : undefined);
      if (slot === undefined) return this.#waitPatiently();
      const task = this.#waiting.shift();
      if (task) this.#occupy(slot, task);
    }
  }

  /** Whether one more thread is worth what starting it takes. */
  #wantsSlot(): boolean {
    if (this.#slots.length >= this.threads) return false;
    const [oldest] = this.#waiting;
    const bytes = this.#waiting.reduce((sum, { work }) => sum + weightOf(work), 0);
    return this.#slots.length === 0 || bytes >= WORTH_A_THREAD_BYTES || performance.now() - (oldest?.askedAt ?? 0) >= PATIENCE_MS;
  }

  #waitPatiently(): void {
    if (this.#slots.length >= this.threads || this.#patience !== undefined) return;
    this.#patience = setTimeout(() => {
      this.#patience = undefined;
      this.#dispatch();
    }, PATIENCE_MS);
  }

  #occupy(slot: ThreadSlot, task: Task): void {
    this.#running.add(task);
    for (const definition of task.definitions) if (this.#kept.use(definition)) this.#texts.set(definition.digest, definition);
    const inUse = (): Set<string> => new Set([...this.#running].flatMap(({ definitions }) => definitions.map(({ digest }) => digest)));
    for (const digest of this.#kept.trim(inUse)) this.#texts.delete(digest);
    const { work } = task;
    const piece: Piece = {
      work: work.kind === 'evaluate' ? blockOf(evaluationFrame(0, work)) : work,
      settle: (answer) => {
        this.#running.delete(task);
        task.finish(runAnswer(answer));
      },
    };
    task.stop = () => slot.cancel(piece);
    task.piece = piece;
    slot.run([piece]);
  }

  #cancel(task: Task): void {
    const place = this.#waiting.indexOf(task);
    if (place < 0) return task.stop?.();
    this.#waiting.splice(place, 1);
    task.finish(NOT_RUN);
  }

  /** Lets work wait again whose thread ended before it began. */
  #runAgain(pieces: readonly Piece[]): void {
    const tasks = [...this.#running].filter(({ piece }) => piece !== undefined && pieces.includes(piece));
    for (const task of tasks) this.#running.delete(task);
    this.#waiting.unshift(...tasks);
  }

  #addSlot(): ThreadSlot {
    const slot = new ThreadSlot(this.#texts, this.#heapMb, {
      freed: () => this.#dispatch(),
      gaveBack: (pieces) => this.#runAgain(pieces),
    });
    this.#slots.push(slot);
    return slot;
  }
}

function runAnswer(answer: SlotAnswer): RunAnswer<WorkResult> {
  if (answer.kind === 'evaluated') return { kind: 'done', ...readAnswer(answer.answer) };
  return answer.kind === 'terminated' || answer.kind === 'stuck' ? { kind: 'cancelled', spentMs: answer.spentMs } : answer;
}

/** Judging a definition takes so many times as long as reading as many bytes of objects. */
const DEFINITION_WEIGHT = 8;

/** How much work it is, in bytes of objects. */
function weightOf(work: Work): number {
  switch (work.kind) {
    case 'documents':
      return work.bytes.length;
    case 'evaluate':
      return chunkBytes(work.items);
    case 'what-if':
    case 'measure':
      return work.items.bytes.length;
    case 'judge':
    case 'explain':
    case 'expression':
      return DEFINITION_WEIGHT * work.definition.slice.bytes.length;
    case 'judge-each':
      return work.definitions.reduce((sum, { slice }) => sum + DEFINITION_WEIGHT * slice.bytes.length, 0);
    case 'judge-update':
      return DEFINITION_WEIGHT * work.to.slice.bytes.length;
    case 'review-policies':
      return DEFINITION_WEIGHT * work.policies.slice.bytes.length;
    case 'grow':
    case 'study':
      return WORTH_A_THREAD_BYTES;
  }
}
