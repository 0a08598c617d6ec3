import { createHash } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';
import { badRequestStatus } from '#kube';
import type { Flow } from '#runner/flow';
import type { ApiConfig } from '../config.ts';
import { StatusFailure } from '../status.filter.ts';
import type { AccessKey } from './access-keys.ts';

/**
 * Request header that names a division of the client's {@link Flow}. Inside the flow, each division is scheduled separately. The header
 * never creates a new flow.
 */
export const FLOW_HEADER = 'x-assay-flow';
const DIVISION = /^[A-Za-z0-9._-]{1,63}$/;

/** Number of flows (scheduling queues) for requests without a key. A hash of the address selects the flow. */
const ANONYMOUS_FLOWS = 64;

/** Returns the {@link Flow} of an access key, with the settings of the key if it has any. Keys that name the same flow share that flow. */
export function flowOfKey(key: AccessKey, { flowLimits }: ApiConfig): Flow {
  return {
    level: key.level ?? 'normal',
    name: key.flow ?? key.name,
    division: '',
    weight: key.weight ?? 1,
    limits: {
      evaluations: key.maxEvaluations ?? flowLimits.evaluations,
      chunks: key.maxQueuedChunks ?? flowLimits.chunks,
      bytes: key.maxQueuedBytes ?? flowLimits.bytes,
      resultBytes: key.maxResultBytes ?? flowLimits.resultBytes,
      definitionBytes: key.maxDefinitionBytes ?? flowLimits.definitionBytes,
    },
  };
}

/**
 * Returns the {@link Flow} of a client whose name comes from a token or a certificate. The flow name contains a digest of the client name,
 * because flow names must be short and plain.
 */
export function flowOfName(name: string, { flowLimits }: ApiConfig): Flow {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return { level: 'normal', name: `named-${digest}`, division: '', weight: 1, limits: flowLimits };
}

/**
 * Returns the {@link Flow} of an address if the service requires no key. Neighbouring addresses (IPv4 /24, IPv6 /56) share one flow,
 * because one client may have many addresses.
 */
export function flowOfAddress(address: string, { flowLimits }: ApiConfig): Flow {
  const digest = createHash('sha256').update(prefixOf(address)).digest();
  return { level: 'normal', name: `anonymous-${digest.readUInt32BE(0) % ANONYMOUS_FLOWS}`, division: '', weight: 1, limits: flowLimits };
}

function prefixOf(address: string): string {
  const v4 = address.replace(/^::ffff:/i, '');
  if (isIPv4(v4)) return v4.slice(0, v4.lastIndexOf('.'));
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = [...left, ...zeros, ...right].slice(0, 4).map((group) => group.padStart(4, '0'));
  // The first 56 bits of an IPv6 address are three and a half groups of four digits: 17 characters with the colons.
  return groups.join(':').slice(0, 17);
}

/**
 * Returns the value of the request header {@link FLOW_HEADER}: the division of the client's {@link Flow} to which the request belongs.
 * Returns '' if the header is absent. Throws a failure with status 400 if the value is not a valid name.
 */
export function divisionOf(headers: IncomingHttpHeaders): string {
  const wanted = headers[FLOW_HEADER];
  if (wanted === undefined) return '';
  if (typeof wanted === 'string' && DIVISION.test(wanted)) return wanted;
  throw new StatusFailure(badRequestStatus(`${FLOW_HEADER}: must be 1 to 63 letters, digits, ".", "_" or "-"`));
}
