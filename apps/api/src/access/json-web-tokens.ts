import type { FastifyRequest } from 'fastify';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import type { ApiConfig } from '../config.ts';
import { namedClient } from './client.ts';
import { presentedToken } from './find-key.ts';
import { ABSENT } from './identify.ts';
import type { Identification, IdentityProvider } from './identify.ts';
import { DEFAULT_ROLES, ROLES } from './roles.ts';
import type { Role } from './roles.ts';

/** Signatures whose verification needs no secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** The longest time for the answer of an issuer, ms. */
const ISSUER_TIMEOUT_MS = 5000;
/** Difference between clocks that is forgiven, s. */
const CLOCK_TOLERANCE_S = 30;
/** Three parts, each Base64url. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** The signer of tokens, their audience, and the place of the signer's keys (RFC 7519; OpenID Connect Discovery 1.0). */
export interface TokenIssuer {
  /** URL; what `iss` must say. */
  readonly issuer: string;
  /** The value that `aud` must hold. */
  readonly audience: string;
  /** URL of its key set; undefined: as its discovery document says. */
  readonly keySetUrl: string | undefined;
}

const discovery = z.object({ jwks_uri: z.url() });

/**
 * Bearer tokens that an issuer signed. The claim `sub` names the client, and the claim `roles` lists its roles. Unknown roles are ignored, and a
 * token without the claim may evaluate.
 */
export class JsonWebTokens implements IdentityProvider {
  readonly #trusted: TokenIssuer;
  readonly #config: ApiConfig;
  #keys: Promise<JWTVerifyGetKey> | undefined;

  constructor(trusted: TokenIssuer, config: ApiConfig) {
    this.#trusted = trusted;
    this.#config = config;
  }

  async identify({ headers }: FastifyRequest): Promise<Identification> {
    const token = presentedToken(headers);
    if (token === undefined || !COMPACT.test(token)) return ABSENT;
    try {
      const { issuer, audience } = this.#trusted;
      const { payload } = await jwtVerify(token, await this.#keySet(), {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_S,
        requiredClaims: ['sub', 'exp'],
      });
      return { kind: 'identified', client: namedClient(`jwt:${payload.sub}`, rolesOf(payload), this.#config) };
    } catch (error) {
      return isRefusal(error)
        ? { kind: 'rejected', why: `token: ${error.code}` }
        : { kind: 'unavailable', why: `the token's issuer: ${error instanceof Error ? error.message : String(error)}` };
    }
  }

  /** Returns the issuer's keys. They are found once, and read again when a token names an unknown key. */
  #keySet(): Promise<JWTVerifyGetKey> {
    this.#keys ??= this.#findKeys().catch((error: unknown) => {
      this.#keys = undefined;
      throw error;
    });
    return this.#keys;
  }

  async #findKeys(): Promise<JWTVerifyGetKey> {
    const url = this.#trusted.keySetUrl ?? (await this.#discover());
    return createRemoteJWKSet(new URL(url), { timeoutDuration: ISSUER_TIMEOUT_MS });
  }

  async #discover(): Promise<string> {
    const url = `${this.#trusted.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const response = await fetch(url, { signal: AbortSignal.timeout(ISSUER_TIMEOUT_MS), redirect: 'error' });
    return discovery.parse(await response.json()).jwks_uri;
  }
}

/** Returns true if the token failed, and not the connection to its issuer. */
function isRefusal(error: unknown): error is errors.JOSEError {
  return error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout) && !(error instanceof errors.JWKSInvalid);
}

function rolesOf({ roles }: JWTPayload): readonly Role[] {
  if (roles === undefined) return DEFAULT_ROLES;
  return ROLES.filter((role) => Array.isArray(roles) && roles.includes(role));
}
