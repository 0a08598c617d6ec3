import { existsSync, readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { ClusterAddress } from './address.ts';
import { read, unread } from './reading.ts';
import type { ClusterReading } from './reading.ts';

const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Returns the address of the cluster that runs this process in a pod, with the credentials of the pod's service account. Returns undefined
 * outside a pod. Source: client-go v0.37, rest/config.go `InClusterConfig`.
 */
export function inClusterAddress(folder = ACCOUNT): ClusterReading<ClusterAddress> | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
  const tokenFile = join(folder, 'token');
  if (!host || !port || !existsSync(tokenFile)) return undefined;
  try {
    return read({
      name: 'in-cluster',
      server: new URL(`https://${isIPv6(host) ? `[${host}]` : host}:${port}/`),
      tls: { ca: readFileSync(join(folder, 'ca.crt')) },
      proxy: undefined,
      credentials: { kind: 'tokenFile', file: tokenFile },
      impersonation: {},
    });
  } catch (error) {
    return unread('config', `the account of this pod cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
