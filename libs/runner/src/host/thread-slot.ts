import module from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { DefinitionText } from '#evaluation';
import { RUN_LIMITS } from '../limits.ts';
import { SharedCancellationFlag } from '../shared-cancellation-flag.ts';
import { THREAD_ENTRY } from './thread-entry.ts';
import type { Breakage, ThreadReply, ThreadRequest, Work, WorkResult } from '../protocol.ts';

/** How one piece of work ended on a slot; `terminated`: it was cancelled, and has no result. */
export type SlotAnswer =
  | { readonly kind: 'done'; readonly result: WorkResult }
  | { readonly kind: 'terminated' }
  | { readonly kind: 'broken'; readonly breakage: Breakage; readonly detail: string };

/** Where this process keeps what V8 compiled, as an environment of a thread that does the same; empty where it keeps nothing. */
function compileCacheOfProcess(): Record<string, string> {
  const folder = module.getCompileCacheDir?.();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

/** One thread and its successors: runs one piece of work at a time, and is whole again after each, whatever the work did to the thread. */
export class ThreadSlot {
  readonly #texts: ReadonlyMap<string, DefinitionText>;
  readonly #heapMb: number;
  #token = new SharedCancellationFlag();
  #thread: Worker;
  #answer: ((answer: SlotAnswer) => void) | undefined;
  #grace: NodeJS.Timeout | undefined;

  /** `texts` holds the definitions' texts by digest; threads ask for what they lack. */
  constructor(texts: ReadonlyMap<string, DefinitionText>, heapMb: number) {
    this.#texts = texts;
    this.#heapMb = heapMb;
    this.#thread = this.#spawn();
  }

  get idle(): boolean {
    return this.#answer === undefined;
  }

  /** Runs one piece of work; the slot must be idle. Never rejects. */
  run(work: Work): Promise<SlotAnswer> {
    this.#token.lower();
    return new Promise((resolve) => {
      this.#answer = resolve;
      if (work.kind !== 'evaluate' && work.kind !== 'what-if')
        return this.#thread.postMessage({ type: 'work', work } satisfies ThreadRequest);
      // What arrived by IPC are views of one buffer per message, which others may hold: only a copy of our own can be handed over.
      const bytes = work.items.bytes.slice();
      this.#thread.postMessage({ type: 'work', work: { ...work, items: { ...work.items, bytes } } } satisfies ThreadRequest, [
        bytes.buffer,
      ]);
    });
  }

  /** Raises the flag; ends the thread if the work has not stopped within the grace. */
  cancel(): void {
    if (this.idle || this.#grace) return;
    this.#token.cancel();
    this.#grace = setTimeout(() => {
      const stuck = this.#thread;
      this.#thread = this.#spawn();
      void stuck.terminate();
      this.#finish({ kind: 'terminated' });
    }, RUN_LIMITS.graceMs);
  }

  /** Ends the thread for good; what runs is not answered. An idle thread is let go, so that it can keep what it compiled. */
  end(): void {
    clearTimeout(this.#grace);
    this.#thread.removeAllListeners();
    if (this.idle) this.#thread.postMessage({ type: 'end' } satisfies ThreadRequest);
    else void this.#thread.terminate();
  }

  #spawn(): Worker {
    const token = new SharedCancellationFlag();
    this.#token = token;
    const thread = new Worker(THREAD_ENTRY, {
      eval: typeof THREAD_ENTRY === 'string',
      workerData: { flag: token.shared },
      env: compileCacheOfProcess(),
      resourceLimits: { maxOldGenerationSizeMb: this.#heapMb, stackSizeMb: RUN_LIMITS.threadStackMb },
    });
    thread.on('message', (reply: ThreadReply) => thread === this.#thread && this.#hear(reply));
    thread.on('error', (error: Error & { code?: string }) => {
      this.#lose(thread, error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out of memory' : 'thread exit', error.code ?? error.name);
    });
    thread.on('exit', (code) => this.#lose(thread, 'thread exit', `the thread ended with code ${code}`));
    return thread;
  }

  #hear(reply: ThreadReply): void {
    if (reply.type === 'done') this.#finish({ kind: 'done', result: reply.result });
    else if (reply.type === 'stopped') this.#finish({ kind: 'terminated' });
    else if (reply.type === 'error') this.#finish({ kind: 'broken', breakage: 'engine error', detail: reply.detail });
    else if (reply.type === 'need') {
      const definitions = reply.digests.map((digest) => this.#texts.get(digest)).filter((text) => text !== undefined);
      this.#thread.postMessage({ type: 'definitions', definitions } satisfies ThreadRequest);
    }
  }

  #lose(thread: Worker, breakage: Breakage, detail: string): void {
    if (thread !== this.#thread) return;
    this.#thread = this.#spawn();
    this.#finish({ kind: 'broken', breakage, detail });
  }

  #finish(answer: SlotAnswer): void {
    clearTimeout(this.#grace);
    this.#grace = undefined;
    const tell = this.#answer;
    this.#answer = undefined;
    tell?.(answer);
  }
}
