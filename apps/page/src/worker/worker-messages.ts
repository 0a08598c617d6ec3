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
