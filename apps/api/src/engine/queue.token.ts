/** Injection token of the queue adapter ({@link import('#queue').QueueAdapter}). */
export const QUEUE = Symbol('QueueAdapter');
