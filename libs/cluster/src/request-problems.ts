import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import type { ClusterAddress } from './address.ts';
import { parsedJson } from './parsed-json.ts';
import { unread } from './reading.ts';
import type { ClusterProblem } from './reading.ts';

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
