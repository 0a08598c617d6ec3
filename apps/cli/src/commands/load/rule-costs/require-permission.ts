import type { ClusterAddress } from '#cluster';
import { requireLoopback } from '../require-loopback.ts';

/** Throws a usage error if a server is on another machine, and the user does not allow temporary definitions there. */
export function requirePermission(address: ClusterAddress, isAllowedElsewhere: boolean): void {
  if (isAllowedElsewhere) return;
  const effect = 'definitions there concern all its users';
  requireLoopback(address, `${effect}. --yes-create-definitions says that you may create and remove definitions`);
}
