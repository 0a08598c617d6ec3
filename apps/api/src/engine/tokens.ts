/** Injection token of the queue adapter ({@link import('#queue').QueueAdapter}). */
export const QUEUE = Symbol('QueueAdapter');
/** Injection token of what the process tells about itself ({@link import('#telemetry').Telemetry}). */
export const TELEMETRY = Symbol('Telemetry');
/** Injection token of what use cases reach ({@link import('#service').ServicePorts}). */
export const SERVICE_PORTS = Symbol('ServicePorts');
