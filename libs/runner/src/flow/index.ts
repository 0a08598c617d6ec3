// Fair shares of the threads: flows, their limits and load, the order of waiting work, and learned prices.
export { expectedMs, MS_PER_BYTE } from './chunk-cost.ts';
export { FairQueue } from './fair-queue.ts';
export type { PickedEntry, SizedEntry } from './fair-queue.ts';
export { FlowLoad, isRefusal } from './flow-load.ts';
export type { BatchSize, LoadLimits, Refusal } from './flow-load.ts';
export { DEFAULT_FLOW_LIMITS, flowPath, pathOfFlow, queueKeyOf } from './flow.ts';
export type { Flow, FlowLimits, QueueKey } from './flow.ts';
export { byLevel, LEVELS } from './level.ts';
export type { Level } from './level.ts';
export { PriceBook } from './price-book.ts';
export type { PriceUpdates } from './price-book.ts';
export { RetryAfter } from './retry-after.ts';
export { seatsPerFlow } from './seats.ts';
