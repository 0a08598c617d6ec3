/** Injection token of this process's own queue ({@link import('#queue').EmbeddedQueue}). */
export const QUEUE = Symbol('EmbeddedQueue');
/** Injection token of the queue that processes share ({@link import('#queue').QueueAdapter}); undefined without Redis. */
export const SHARED_QUEUE = Symbol('SharedQueue');
/** Injection token of the queue of detached evaluations ({@link import('#queue').QueueAdapter}): the own one, or the shared one. */
export const DURABLE_QUEUE = Symbol('QueueAdapter');
/** Injection token of what the process tells about itself ({@link import('#telemetry').Telemetry}). */
export const TELEMETRY = Symbol('Telemetry');
/** Injection token of what use cases reach ({@link import('#service').ServicePorts}). */
export const SERVICE_PORTS = Symbol('ServicePorts');
/** Injection token of what studies reach ({@link import('#service').StudiesPorts}), without their store. */
export const STUDY_PORTS = Symbol('StudiesPorts');
