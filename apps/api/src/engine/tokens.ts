/** Injection token of this process's own queue ({@link import('#queue').EmbeddedQueue}). */
export const QUEUE = Symbol('EmbeddedQueue');
/** Injection token of the queue that processes share ({@link import('#queue').QueueAdapter}); undefined without Redis. */
export const SHARED_QUEUE = Symbol('SharedQueue');
/**
 * Injection token of the queue ({@link import('#queue').QueueAdapter}) for detached evaluations, which continue after their request has
 * ended. It is the shared queue if Redis is configured, and this process's queue if not.
 */
export const DURABLE_QUEUE = Symbol('QueueAdapter');
/** Injection token of the telemetry of the process ({@link import('#telemetry').Telemetry}). */
export const TELEMETRY = Symbol('Telemetry');
/** Injection token of the ports (queues, telemetry, limits) that use cases depend on ({@link import('#service').ServicePorts}). */
export const SERVICE_PORTS = Symbol('ServicePorts');
/**
 * Injection token of the ports (engine, queue limits, telemetry, callbacks) that studies (benchmarks) depend on ({@link
 * import('#service').StudiesPorts}), without the study store.
 */
export const STUDY_PORTS = Symbol('StudiesPorts');
