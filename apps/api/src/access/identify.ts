import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import type { FastifyRequest } from 'fastify';
import type { ApiConfig } from '../config.ts';
import { DEFAULT_ROLES, ROLES } from './access-keys.ts';
import { namedClient } from './client.ts';
import type { Client } from './client.ts';
import type { RateLimit } from './token-bucket.ts';

/** Client with a proven identity, and the rate limit for the requests of this client. */
export interface Identified {
  readonly kind: 'identified';
  readonly client: Client;
  /** Rate limit of the client; undefined if the client's requests are not limited. */
  readonly rate?: RateLimit;
}

/**
 * Result of an identity provider. `absent` means that the request has no credentials of the provider's kind. `unavailable` means that the
 * credentials cannot be checked at present.
 */
export type Identification =
  | Identified
  | { readonly kind: 'absent' }
  | { readonly kind: 'rejected'; readonly why: string }
  | { readonly kind: 'unavailable'; readonly why: string };

/** Method of identifying the client that sends a request, such as keys, tokens or certificates. */
export interface IdentityProvider {
  identify(request: FastifyRequest): Identification | Promise<Identification>;
}

/** Result of an identity provider for a request that has no credential of the kind that the provider checks. */
export const NO_CREDENTIAL: Identification = { kind: 'absent' };

/**
 * Returns the result of the first provider that finds a credential of its kind in the request. Returns `rejected` if no provider finds one.
 */
export async function identify(
  providers: readonly IdentityProvider[],
  request: FastifyRequest,
): Promise<Exclude<Identification, { kind: 'absent' }>> {
  for (const provider of providers) {
    const found = await provider.identify(request);
    if (found.kind !== 'absent') return found;
  }
  return { kind: 'rejected', why: 'no credential' };
}

/**
 * Identity provider for client certificates. The TLS handshake has already verified the issuing authority. The common name is the name of
 * the client, and the organizations are the groups, as in the API server. A group `assay:<role>` grants that role. A client without such a
 * group has the role `evaluate`. Source: k8s.io/apiserver/pkg/authentication/request/x509 (1.37).
 */
export class ClientCertificates implements IdentityProvider {
  readonly #config: ApiConfig;

  constructor(config: ApiConfig) {
    this.#config = config;
  }

  identify(request: FastifyRequest): Identification {
    const socket = request.raw.socket as Partial<TLSSocket>;
    if (socket.getPeerCertificate === undefined || socket.authorized !== true) return NO_CREDENTIAL;
    const subject = (socket.getPeerCertificate() as Partial<DetailedPeerCertificate>).subject;
    const name = subject && [subject.CN].flat()[0];
    if (name === undefined || name === '') return { kind: 'rejected', why: 'the certificate names nobody' };
    const groups = [subject?.O ?? []].flat();
    const roles = ROLES.filter((role) => groups.includes(`assay:${role}`));
    return { kind: 'identified', client: namedClient(`cert:${name}`, roles.length > 0 ? roles : DEFAULT_ROLES, this.#config) };
  }
}
