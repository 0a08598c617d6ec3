/** From the page to a worker: do this, or stop doing it. */
export type ToWorker = { readonly id: number; readonly ask: unknown } | { readonly id: number; readonly stop: true };

/** From a worker to the page. Each ask is answered by `answer`, `stopped` or `failed`, after any number of `alive`, `progress` and `part`. */
export type FromWorker =
  | { readonly id: number; readonly kind: 'alive' }
  | { readonly id: number; readonly kind: 'progress'; readonly done: number; readonly of: number }
  /** A partial answer. */
  | { readonly id: number; readonly kind: 'part'; readonly part: unknown }
  | { readonly id: number; readonly kind: 'answer'; readonly answer: unknown }
  | { readonly id: number; readonly kind: 'stopped' }
  | { readonly id: number; readonly kind: 'failed'; readonly message: string };
