import { isIPv4 } from 'node:net';

/** Returns true if a host is a loopback address of this machine: 127.0.0.0/8, ::1 or localhost. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));
