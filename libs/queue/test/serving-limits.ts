import { DEFAULT_QUEUE_LIMITS } from '../src/limits.ts';
import type { QueueLimits } from '../src/limits.ts';

/**
 * Limits for tests with frequent heartbeats. A heartbeat is valid for one hour, so that none expires on a busy machine. Tests set
 * heartbeats to an old time instead of waiting.
 */
export const SERVING_LIMITS: QueueLimits = { ...DEFAULT_QUEUE_LIMITS, heartbeatMs: 100, servingMs: 3_600_000, leaseMs: 3_600_000 };
