import { isIPv4 } from 'node:net';
import type { ClusterAddress } from '#cluster';
import { UsageError } from '../../usage.ts';

/** Returns true if a host is a loopback address of this machine: 127.0.0.0/8, ::1 or localhost. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));

/** Part of a message that names the option with which the user allows a load on another machine. */
export const LOAD_REASON = 'a load may slow down a cluster that others use. --yes says that you may load it';

/** Returns true if a server is on this machine and is reached without a proxy. */
export const isOnThisMachine = ({ server, proxy }: ClusterAddress): boolean => isLoopback(server.hostname) && proxy === undefined;

/**
 * Throws {@link UsageError} if a server is not on this machine, or is reached through a proxy.
 *
 * @param reason part of the message after `is not this machine: `. It names the option with which the user allows other machines.
 */
export function requireLoopback(address: ClusterAddress, reason: string): void {
  if (!isOnThisMachine(address)) throw new UsageError(`${address.name} (${address.server.origin}) is not this machine: ${reason}`);
}

/** Throws a usage error if a server is on another machine, and the user does not allow temporary definitions there. */
export function requirePermission(address: ClusterAddress, isAllowedElsewhere: boolean): void {
  if (isAllowedElsewhere) return;
  const effect = 'definitions there concern all its users';
  requireLoopback(address, `${effect}. --yes-create-definitions says that you may create and remove definitions`);
}
