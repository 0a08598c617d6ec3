import type { Sized } from '../flow/fair-queue.ts';
import type { EvaluationStore } from './evaluation-store.ts';
import { forgetExpired } from './forget-expired.ts';

/**
 * Once a heartbeat forgets what has expired, and takes chunks back whose lease ran out. Where this process itself stood still for three, no lease could be renewed: all
 * leases get another period. Returns the way to stop.
 */
export function expireLeases<Other extends Sized>(store: EvaluationStore<Other>): () => void {
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
