import type { ClusterAddress } from '#cluster';
import { UsageError } from '../../../usage.ts';
import { isLoopback } from '../loopback.ts';

/** Throws {@link UsageError} if a server is on another machine and the user did not allow definitions there. */
export function requireAllowed(isAllowed: boolean, { server, proxy, name }: ClusterAddress): void {
  if (isAllowed || (isLoopback(server.hostname) && proxy === undefined)) return;
  throw new UsageError(
    `${name} (${server.origin}) is not this machine: definitions there concern all its users. --yes-create-definitions says that you may create and remove definitions`,
  );
}
