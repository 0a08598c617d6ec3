import { createLocalJWKSet, errors } from 'jose';
import type { CryptoKey, FlattenedJWSInput, JWSHeaderParameters, LocalJWKSet } from 'jose';
import { z } from 'zod';

/** Trusted issuer of tokens, the required audience, and the URL of the issuer's keys (RFC 7519; OpenID Connect Discovery 1.0). */
export interface TokenIssuer {
  /** URL of the issuer. The claim `iss` of a token must equal it. */
  readonly issuer: string;
  /** Value that the claim `aud` of a token must contain. */
  readonly audience: string;
  /** URL of the issuer's key set; undefined if the URL is taken from the issuer's discovery document. */
  readonly keySetUrl: string | undefined;
}

/** Longest time that the service waits for a whole answer of the token issuer, in ms. */
const ISSUER_TIMEOUT_MS = 5000;
/** Highest number of bytes of an answer of the token issuer, after decompression. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** Age in ms from which the service reads the key set again before it uses a key. */
const FRESH_MS = 600_000;
/** Age in ms up to which the service uses a key set that it cannot read again. */
const MAX_AGE_MS = 3_600_000;
/** Shortest time in ms between two readings of the key set, if the service has a key set. */
const PAUSE_MS = 30_000;
/** Shortest time in ms between two attempts to read the key set, if the service has no key set. */
const FIRST_PAUSE_MS = 1000;

const discovery = z.object({ jwks_uri: z.url({ protocol: /^https?$/ }) });
const keySet = z.object({ keys: z.array(z.looseObject({})).min(1) });

/** Error of the token issuer: its key set cannot be read or used. The message says why. */
export class IssuerTrouble extends Error {}

/** Key set of the issuer, and the time at which it was read, in ms. */
interface ReadKeys {
  readonly find: LocalJWKSet;
  readonly at: number;
}

/**
 * Public keys of a token issuer. The class reads the key set when a token needs it, and again after 10 minutes, or if a token names an
 * unknown key. While the issuer is in trouble, the class uses the key set for at most an hour after it was read.
 */
export class IssuerKeys {
  readonly #trusted: TokenIssuer;
  readonly #now: () => number;
  #url: string | undefined;
  #read: ReadKeys | undefined;
  #reading: Promise<ReadKeys> | undefined;
  #trouble: { readonly error: IssuerTrouble; readonly at: number } | undefined;

  /** `now` returns the time in ms. */
  constructor(trusted: TokenIssuer, now: () => number = () => performance.now()) {
    this.#trusted = trusted;
    this.#now = now;
  }

  /**
   * Returns the key that verifies a token. Throws {@link IssuerTrouble} if the issuer's keys cannot be read or used. Throws an error of jose
   * if the issuer has no such key.
   */
  async find(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    const read = await this.#current();
    try {
      return await read.find(header, token);
    } catch (error) {
      if (!this.#trouble && this.#now() - read.at < PAUSE_MS) throw unusable(error, header);
    }
    const again = await this.#readAgain();
    try {
      return await again.find(header, token);
    } catch (error) {
      throw unusable(error, header);
    }
  }

  /** Returns the key set. Reads it again if it is old. Returns the old key set if it cannot be read again and is not too old. */
  async #current(): Promise<ReadKeys> {
    const known = this.#read;
    if (known && this.#now() - known.at < FRESH_MS) return known;
    try {
      return await this.#readAgain();
    } catch (error) {
      if (known && this.#now() - known.at < MAX_AGE_MS) return known;
      throw error;
    }
  }

  /** Reads the key set once for all requests that wait for it. Throws the last failure again until the pause after it is over. */
  #readAgain(): Promise<ReadKeys> {
    const pause = this.#read ? PAUSE_MS : FIRST_PAUSE_MS;
    if (this.#trouble && this.#now() - this.#trouble.at < pause) return Promise.reject(this.#trouble.error);
    this.#reading ??= this.#readKeys()
      .then((read) => {
        this.#trouble = undefined;
        return (this.#read = read);
      })
      .catch((error: unknown) => {
        this.#url = undefined;
        this.#trouble = { error: new IssuerTrouble(reasonOf(error)), at: this.#now() };
        throw this.#trouble.error;
      })
      .finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #readKeys(): Promise<ReadKeys> {
    const signal = AbortSignal.timeout(ISSUER_TIMEOUT_MS);
    this.#url ??= this.#trusted.keySetUrl ?? (await this.#discover(signal));
    const read = keySet.safeParse(await fetchJson(this.#url, signal));
    if (!read.success) throw new IssuerTrouble(`the answer of ${this.#url} is no key set`);
    return { find: createLocalJWKSet(read.data), at: this.#now() };
  }

  async #discover(signal: AbortSignal): Promise<string> {
    const url = `${this.#trusted.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const read = discovery.safeParse(await fetchJson(url, signal));
    if (!read.success) throw new IssuerTrouble(`the answer of ${url} is no discovery document`);
    return read.data.jwks_uri;
  }
}

/** Returns the JSON value at an address of the issuer. Follows no redirect, and reads at most {@link MAX_ANSWER_BYTES}. */
async function fetchJson(url: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal, redirect: 'manual', headers: { accept: 'application/json, application/jwk-set+json' } });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new IssuerTrouble(`${url} answers with status ${response.status}`);
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new IssuerTrouble(`the answer of ${url} has more than ${MAX_ANSWER_BYTES} bytes`);
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString());
  } catch {
    throw new IssuerTrouble(`the answer of ${url} is no JSON`);
  }
}

/**
 * Returns the error for a key that cannot be used. The token is at fault if no key fits it, or if several keys fit because it names none.
 * Otherwise, the key set is at fault.
 */
function unusable(error: unknown, { kid }: JWSHeaderParameters): unknown {
  if (error instanceof errors.JWKSNoMatchingKey) return error;
  if (error instanceof errors.JWKSMultipleMatchingKeys && kid === undefined) return error;
  return new IssuerTrouble(`the key ${JSON.stringify(kid)} of the issuer cannot be used: ${reasonOf(error)}`);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `the issuer does not answer within ${ISSUER_TIMEOUT_MS / 1000} s`;
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
