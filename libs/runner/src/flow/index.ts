// Fair shares of the threads: flows, their limits and load, the order of waiting work, and learned prices.
export { expectedMs, MS_PER_BYTE, PriceBook } from './price-book.ts';
export { FairQueue } from './fair-queue.ts';
export type { PickedEntry, SizedEntry } from './fair-queue.ts';
export { FlowLoad, isRefusal } from './flow-load.ts';
export type { BatchSize, LoadLimits, Refusal } from './flow-load.ts';
export { byLevel, DEFAULT_FLOW_LIMITS, flowPath, LEVELS, pathOfFlow, queueKeyOf, seatsPerFlow } from './flow.ts';
export type { Flow, FlowLimits, Level, QueueKey } from './flow.ts';
export type { PriceUpdates } from './price-book.ts';
