import type { FastifyRequest } from 'fastify';
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
