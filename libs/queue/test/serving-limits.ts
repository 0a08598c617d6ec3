import { DEFAULT_QUEUE_LIMITS } from '../src/limits.ts';
import type { QueueLimits } from '../src/limits.ts';

/** Heartbeats are frequent, and count for so long that no busy machine makes them late: tests age them instead of waiting. */
export const SERVING_LIMITS: QueueLimits = { ...DEFAULT_QUEUE_LIMITS, heartbeatMs: 100, servingMs: 3_600_000, leaseMs: 3_600_000 };
