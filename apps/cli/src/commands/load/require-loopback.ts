import { isIPv4 } from 'node:net';
import type { ClusterAddress } from '#cluster';
import { UsageError } from '../../usage.ts';

/** Returns true if a host is a loopback address of this machine: 127.0.0.0/8, ::1 or localhost. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));

/**
 * Throws {@link UsageError} if a server is not on this machine, or is reached through a proxy.
 *
 * @param reason part of the message after `is not this machine: `. It names the option with which the user allows other machines.
 */
export function requireLoopback({ server, proxy, name }: ClusterAddress, reason: string): void {
  if (isLoopback(server.hostname) && proxy === undefined) return;
  throw new UsageError(`${name} (${server.origin}) is not this machine: ${reason}`);
}
