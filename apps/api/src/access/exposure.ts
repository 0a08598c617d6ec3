import { BlockList, isIP } from 'node:net';
import type { ApiConfig } from '../config.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

type IdentitySettings = { readonly [Setting in 'keys' | 'issuer' | 'certificateIdentities']?: ApiConfig[Setting] };

/** Returns true if the service is configured so that clients must prove their identity. */
export function requiresIdentity({ keys, issuer, certificateIdentities }: IdentitySettings): boolean {
  return keys !== undefined || issuer !== undefined || certificateIdentities === true;
}

/**
 * Returns warnings for the operator if other machines can reach the service. There is a warning if the service requires no identity, or if
 * keys are sent without TLS.
 */
export function exposureWarnings(config: Pick<ApiConfig, 'host' | 'tls'> & IdentitySettings): readonly string[] {
  const { host, tls } = config;
  if (isLoopbackHost(host)) return [];
  if (!requiresIdentity(config)) return ['no ASSAY_KEYS_FILE: whoever reaches this address may evaluate, and read what others evaluated'];
  return tls ? [] : ['no ASSAY_TLS_CERT_FILE: keys and objects travel unencrypted unless something in front of the service encrypts'];
}

/** Returns true if a host name or IP address is a loopback address, reachable only from this machine. */
export function isLoopbackHost(host: string): boolean {
  const version = isIP(host);
  return version === 0 ? host === 'localhost' : loopback.check(host, version === 6 ? 'ipv6' : 'ipv4');
}
