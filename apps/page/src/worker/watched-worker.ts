/**
 * Result of a request to a web worker. `stopped` means that the caller aborted the request. `ended` means that the worker did not answer in
 * time or failed, and was ended. A new worker handles the next request.
 */
export type AskOutcome<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'ended'; readonly why: string };

/** Options of a request that the page sends to a web worker. */
export interface AskSettings<Answer> {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, of: number) => void;
  /** Called with partial answers. Only a few kinds of requests have any. */
  readonly onPart?: (part: Answer) => void;
}

interface OpenAsk extends Pick<AskSettings<unknown>, 'onProgress' | 'onPart'> {
  readonly settle: (outcome: AskOutcome<unknown>) => void;
}

/**
 * Worker that the page watches. If the worker gives no sign of life for too long, the page ends it, and the open requests have the result
 * `ended`. The next request starts a new worker, which `onStart` may prepare.
 */
export class WatchedWorker<Ask extends { readonly kind: string }, Answers extends Readonly<Record<Ask['kind'], unknown>>> {
  readonly #start: () => Worker;
  readonly #silenceMs: number;
  readonly #onStart: (() => void) | undefined;
  readonly #open = new Map<number, OpenAsk>();
  #worker: Worker | undefined;
  #next = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param silenceMs longest time in ms for which a busy worker may be silent */
  constructor(start: () => Worker, silenceMs: number, onStart?: () => void) {
    this.#start = start;
    this.#silenceMs = silenceMs;
    this.#onStart = onStart;
  }

  /** Sends a request to the worker. Never rejects. Aborting the signal asks the worker to stop between two steps of its work. */
  ask<One extends Ask>(
    ask: One,
    { signal, ...hearers }: AskSettings<Answers[One['kind']]> = {},
  ): Promise<AskOutcome<Answers[One['kind']]>> {
    const worker = this.#running();
    const id = this.#next++;
    return new Promise((resolve) => {
      const settle = (outcome: AskOutcome<unknown>): void => {
        this.#open.delete(id);
        this.#watch();
        resolve(outcome as AskOutcome<Answers[One['kind']]>);
      };
      this.#open.set(id, { ...(hearers as AskSettings<unknown>), settle });
      signal?.addEventListener('abort', () => this.#send({ id, stop: true }), { once: true });
      worker.postMessage({ id, ask } satisfies ToWorker);
      this.#watch();
    });
  }

  /** Ends the worker immediately. All open requests have the result `ended`. */
  end(why: string): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const { settle } of this.#open.values()) settle({ kind: 'ended', why });
    this.#watch();
  }

  /** True if a request has no answer yet. */
  get isBusy(): boolean {
    return this.#open.size > 0;
  }

  #running(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = this.#start();
    this.#worker = worker;
    // Messages of a worker that has ended may come late, and do not count.
    const isCurrent = (): boolean => worker === this.#worker;
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => isCurrent() && this.#hear(data));
    worker.addEventListener('error', (event) => isCurrent() && this.end(`the worker broke: ${event.message || 'it could not be started'}`));
    this.#onStart?.();
    return worker;
  }

  #send(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }

  #hear(message: FromWorker): void {
    const open = this.#open.get(message.id);
    if (open === undefined) return;
    this.#watch();
    if (message.kind === 'alive') return;
    if (message.kind === 'progress') return open.onProgress?.(message.done, message.of);
    if (message.kind === 'part') return open.onPart?.(message.part);
    if (message.kind === 'answer') return open.settle({ kind: 'answered', answer: message.answer });
    open.settle(message.kind === 'stopped' ? { kind: 'stopped' } : { kind: 'ended', why: `the worker failed: ${message.message}` });
  }

  /** Restarts the timer that ends a silent worker. */
  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#open.size === 0) return;
    const seconds = this.#silenceMs / 1000;
    this.#timer = setTimeout(
      () => this.end(`the worker did not answer for ${seconds} s, so the page ended it. Your text is not lost`),
      this.#silenceMs,
    );
  }
}

/** Message from the page to a worker. It contains a new request, or asks the worker to stop the earlier request with the same `id`. */
export type ToWorker = { readonly id: number; readonly ask: unknown } | { readonly id: number; readonly stop: true };

/**
 * Message from a worker to the page. For each request, the worker sends any number of `alive`, `progress` and `part` messages, followed by
 * one `answer`, `stopped` or `failed` message.
 */
export type FromWorker =
  | { readonly id: number; readonly kind: 'alive' }
  | { readonly id: number; readonly kind: 'progress'; readonly done: number; readonly of: number }
  /** A partial answer, sent before the work on the request is complete. */
  | { readonly id: number; readonly kind: 'part'; readonly part: unknown }
  | { readonly id: number; readonly kind: 'answer'; readonly answer: unknown }
  | { readonly id: number; readonly kind: 'stopped' }
  | { readonly id: number; readonly kind: 'failed'; readonly message: string };
