import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import type { ClusterAddress } from './address.ts';

/**
 * Reason why a cluster, or a part of it, could not be read.
 *
 * - `config`: the kubeconfig does not describe how to reach the cluster.
 * - `unreachable`: no server answered, or the server is not trusted.
 * - `unauthorized`: the server does not accept the credentials (401).
 * - `forbidden`: the user has no permission for this request (403).
 * - `missing`: the requested resource does not exist (404).
 * - `conflict`: another write changed the object first (409).
 * - `expired`: the state from which a list was read is no longer available (410).
 * - `tooLarge`: the response exceeds the maximum size.
 * - `failed`: the response is unusable, or reports an error with a code that this list does not contain.
 * - `stopped`: reading was cancelled.
 */
export interface ClusterProblem {
  readonly kind:
    | 'config'
    | 'unreachable'
    | 'unauthorized'
    | 'forbidden'
    | 'missing'
    | 'conflict'
    | 'expired'
    | 'tooLarge'
    | 'failed'
    | 'stopped';
  /** Sentence that describes the problem to the user, without a full stop. */
  readonly sentence: string;
}

/** Result of reading from a cluster: the value, or the problem that prevented reading. */
export type ClusterReading<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: ClusterProblem };

/** Returns a successful reading with the given value. */
export const read = <Value>(value: Value): ClusterReading<Value> => ({ ok: true, value });

/** Returns a {@link ClusterReading} that reports why reading from a cluster failed. `sentence` describes the problem to the user. */
export const unread = (kind: ClusterProblem['kind'], sentence: string): { readonly ok: false; readonly problem: ClusterProblem } => ({
  ok: false,
  problem: { kind, sentence },
});

/** Response with an error code instead of the requested content. */
export interface Refusal {
  readonly code: number;
  readonly body: Buffer;
}

/**
 * Returns the problem to report if a cluster's API server answered a request for `path` with an HTTP error code. `textOf` returns the text
 * of the response that the problem quotes.
 */
export function statusProblem(
  { name, tls }: ClusterAddress,
  path: string,
  { code, body }: Refusal,
  textOf: (body: Buffer) => string | undefined = messageOf,
): ReturnType<typeof unread> {
  const text = textOf(body);
  const what = path.split('?', 1)[0] ?? path;
  if (code === 401) {
    const expired = expiryOf(tls.cert);
    const why = expired === undefined ? 'the credentials of the kubeconfig are not valid' : `its client certificate expired on ${expired}`;
    return unread('unauthorized', `${name}: the server does not know who asks (401): ${why}`);
  }
  const kinds: Readonly<Record<number, ClusterProblem['kind']>> = { 403: 'forbidden', 404: 'missing', 409: 'conflict', 410: 'expired' };
  return unread(kinds[code] ?? 'failed', `${name}: ${what}: ${text ?? 'the server answered'} (${code})`);
}

/** Returns the problem for a request that no server answered. */
export function networkProblem({ name, server }: ClusterAddress, error: Error): ReturnType<typeof unread> {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return unread('unreachable', `${name}: ${server.origin} ${SENTENCES[code] ?? `cannot be reached: ${error.message}`}`);
}

const UNKNOWN_AUTHORITY = 'shows a certificate of an authority that the kubeconfig does not name';
const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'cannot be reached: nothing listens there',
  ENOTFOUND: 'cannot be reached: its name is not known',
  EAI_AGAIN: 'cannot be reached: its name cannot be looked up',
  CERT_HAS_EXPIRED: 'shows a certificate that has expired',
  CERT_NOT_YET_VALID: 'shows a certificate that is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'shows a certificate of another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: 'refuses the client certificate: it has expired',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'asks for a client certificate',
};

/** Returns the message of a Kubernetes Status, or undefined if the body is no Status with a message. */
function messageOf(body: Buffer): string | undefined {
  const { message } = z.object({ message: z.string() }).safeParse(parsedJson(body)).data ?? {};
  return message === '' ? undefined : message;
}

/** Schema of the part of a Kubernetes Status that says why a write was refused. */
const refusedStatus = z.object({
  kind: z.literal('Status'),
  reason: z.string().optional(),
  message: z.string().optional(),
  details: z.object({ causes: z.array(z.object({ field: z.string().optional() })).optional() }).optional(),
});

/** Maximum length of a quoted message, in characters. */
const MAX_MESSAGE = 300;
/** Maximum number of fields that are named for a refused object. */
const MAX_FIELDS = 3;

/**
 * Returns the reason for a refused write from a Kubernetes Status, without values of the object. For an invalid object (422) it returns the
 * names of the fields, because the server's message quotes their values. Returns undefined if the body is no Status.
 */
export function refusalOf(body: Buffer): string | undefined {
  const parsed = refusedStatus.safeParse(parsedJson(body));
  if (!parsed.success) return undefined;
  const { reason, message = '', details } = parsed.data;
  if (reason !== 'Invalid') return message.slice(0, MAX_MESSAGE) || reason;
  const fields = [...new Set((details?.causes ?? []).flatMap(({ field }) => field ?? []))];
  const more = fields.length > MAX_FIELDS ? ` and ${fields.length - MAX_FIELDS} more` : '';
  return fields.length === 0 ? 'the object is invalid' : `the object is invalid at ${fields.slice(0, MAX_FIELDS).join(', ')}${more}`;
}

/** Returns the time at which a certificate expired, or undefined if the certificate is valid or absent. */
function expiryOf(cert: ClusterAddress['tls']['cert']): string | undefined {
  if (!Buffer.isBuffer(cert)) return undefined;
  try {
    const { validTo } = new X509Certificate(cert);
    return Date.parse(validTo) < Date.now() ? validTo : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the value of a JSON text; undefined if the text is no JSON. */
export function parsedJson(text: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof text === 'string' ? text : Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString());
  } catch {
    return undefined;
  }
}
