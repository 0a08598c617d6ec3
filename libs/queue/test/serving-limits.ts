import { DEFAULT_QUEUE_LIMITS } from '../src/limits.ts';
import type { QueueLimits } from '../src/limits.ts';

/**
 * Limits for tests with frequent heartbeats. Heartbeats are valid for so long that they are never late on a busy machine. Tests make
 * heartbeats old instead of waiting.
 */
export const SERVING_LIMITS: QueueLimits = { ...DEFAULT_QUEUE_LIMITS, heartbeatMs: 100, servingMs: 3_600_000, leaseMs: 3_600_000 };
