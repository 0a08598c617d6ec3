import type { EvaluationStore } from './evaluation-store.ts';
import { forgetExpired } from './forget-expired.ts';

/**
 * Starts a timer that deletes expired evaluations and requeues chunks with expired leases at each heartbeat. If this process was blocked
 * for more than three heartbeats, it extends expired leases instead, because consumers could not renew them. Returns a function that stops
 * the timer.
 */
export function expireLeases(store: EvaluationStore): () => void {
  const { heartbeatMs, leaseMs } = store.limits;
  let lookedAt = store.now();
  const timer = setInterval(look, heartbeatMs).unref();
  return () => clearInterval(timer);

  function look(): void {
    const now = store.now();
    const stoodStill = now - lookedAt > 3 * heartbeatMs;
    lookedAt = now;
    forgetExpired(store);
    for (const lease of store.leases.values()) {
      if (lease.until > now) continue;
      if (stoodStill) lease.until = now + leaseMs;
      else store.takeBack(lease, 'expire', undefined);
    }
  }
}
