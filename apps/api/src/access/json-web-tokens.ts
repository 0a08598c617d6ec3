import type { FastifyRequest } from 'fastify';
import { errors, jwtVerify } from 'jose';
import { z } from 'zod';
import type { ApiConfig } from '../config.ts';
import { namedClient } from './client.ts';
import { presentedToken, DEFAULT_ROLES, ROLES } from './access-keys.ts';
import { NO_CREDENTIAL } from './identify.ts';
import type { Identification, IdentityProvider } from './identify.ts';
import { IssuerKeys } from './issuer-keys.ts';
import type { Role } from './access-keys.ts';
import type { TokenIssuer } from './issuer-keys.ts';

/** Signature algorithms that are accepted. All of them are asymmetric, so verification needs no shared secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** Tolerated difference between the clocks of the issuer and the service, in seconds. */
const CLOCK_TOLERANCE_S = 30;
/** Pattern of a compact token: three parts in Base64url, separated by dots. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Claims that decide who the client is, and for how long (RFC 7519). The library jose accepts a `sub` of any type, and the time `1e999`. Two
 * names with different unpaired surrogates would become one name in UTF-8.
 */
const claims = z.looseObject({
  sub: z
    .string()
    .min(1)
    .refine((sub) => sub.isWellFormed()),
  exp: z.number(),
  nbf: z.number().optional(),
  iat: z.number().optional(),
  roles: z.unknown().optional(),
});

/**
 * Identity provider for bearer tokens that a trusted issuer signed. The claim `sub` names the client, and the claim `roles` lists its
 * roles. Unknown roles are ignored, and a token without the claim `roles` has the role `evaluate`.
 */
export class JsonWebTokens implements IdentityProvider {
  readonly #trusted: TokenIssuer;
  readonly #config: ApiConfig;
  readonly #keys: IssuerKeys;

  constructor(trusted: TokenIssuer, config: ApiConfig, keys = new IssuerKeys(trusted)) {
    this.#trusted = trusted;
    this.#config = config;
    this.#keys = keys;
  }

  async identify({ headers }: FastifyRequest): Promise<Identification> {
    const token = presentedToken(headers);
    if (token === undefined || !COMPACT.test(token)) return NO_CREDENTIAL;
    try {
      const { issuer, audience } = this.#trusted;
      const { payload } = await jwtVerify(token, this.#keys.find.bind(this.#keys), {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_S,
        requiredClaims: ['sub', 'exp'],
      });
      const read = claims.safeParse(payload);
      if (!read.success) return { kind: 'rejected', why: `token: the claim ${read.error.issues[0]?.path.join('.')} is not valid` };
      return { kind: 'identified', client: namedClient(`jwt:${read.data.sub}`, rolesOf(read.data.roles), this.#config) };
    } catch (error) {
      return error instanceof errors.JOSEError
        ? { kind: 'rejected', why: `token: ${error.code}` }
        : { kind: 'unavailable', why: `the token's issuer: ${error instanceof Error ? error.message : String(error)}` };
    }
  }
}

function rolesOf(roles: unknown): readonly Role[] {
  if (roles === undefined) return DEFAULT_ROLES;
  return ROLES.filter((role) => Array.isArray(roles) && roles.includes(role));
}
