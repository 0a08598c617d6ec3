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

/** Signature algorithms that are accepted. All of them are asymmetric, so verification needs no shared secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** Longest time that the service waits for an answer of the token issuer, in ms. */
const ISSUER_TIMEOUT_MS = 5000;
/** Tolerated difference between the clocks of the issuer and the service, in seconds. */
const CLOCK_TOLERANCE_S = 30;
/** Pattern of a compact token: three parts in Base64url, separated by dots. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Trusted issuer of tokens, the required audience, and the URL of the issuer's keys (RFC 7519; OpenID Connect Discovery 1.0). */
export interface TokenIssuer {
  /** URL of the issuer. The claim `iss` of a token must equal it. */
  readonly issuer: string;
  /** Value that the claim `aud` of a token must contain. */
  readonly audience: string;
  /** URL of the issuer's key set; undefined if the URL is taken from the issuer's discovery document. */
  readonly keySetUrl: string | undefined;
}

const discovery = z.object({ jwks_uri: z.url() });

/**
 * Identity provider for bearer tokens that a trusted issuer signed. The claim `sub` names the client, and the claim `roles` lists its
 * roles. Unknown roles are ignored, and a token without the claim `roles` has the role `evaluate`.
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

  /**
   * Returns a function that finds the issuer's keys. The URL of the keys is discovered once. The keys are fetched again if a token names an
   * unknown key.
   */
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

/** Returns true if the token itself is invalid; false if the key set of the issuer could not be fetched or read. */
function isRefusal(error: unknown): error is errors.JOSEError {
  return error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout) && !(error instanceof errors.JWKSInvalid);
}

function rolesOf({ roles }: JWTPayload): readonly Role[] {
  if (roles === undefined) return DEFAULT_ROLES;
  return ROLES.filter((role) => Array.isArray(roles) && roles.includes(role));
}
