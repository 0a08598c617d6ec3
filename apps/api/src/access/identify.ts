import type { FastifyRequest } from 'fastify';
import type { Client } from './client.ts';
import type { RateLimit } from './token-bucket.ts';

/** A client whose identity is proven, and how often it may ask. */
export interface Identified {
  readonly kind: 'identified';
  readonly client: Client;
  /** Undefined where its requests are not counted. */
  readonly rate?: RateLimit;
}

/** The answer of an identity provider. `absent`: the request has no credentials of its kind; `unavailable`: they cannot be checked now. */
export type Identification =
  | Identified
  | { readonly kind: 'absent' }
  | { readonly kind: 'rejected'; readonly why: string }
  | { readonly kind: 'unavailable'; readonly why: string };

/** One way to prove who sends a request. */
export interface IdentityProvider {
  identify(request: FastifyRequest): Identification | Promise<Identification>;
}

/** The request shows no credential of this kind. */
export const ABSENT: Identification = { kind: 'absent' };

/** Returns the answer of the first provider that finds a credential of its kind. Rejects a request without any. */
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
