import type { FastifyRequest } from 'fastify';
import type { Log } from '#telemetry';
import type { ApiConfig } from '../config.ts';
import { readAccessKeys, findKey, presentedToken } from './access-keys.ts';
import type { AccessKey } from './access-keys.ts';
import { clientOfKey } from './client.ts';
import { NO_CREDENTIAL } from './identify.ts';
import type { Identification, Identified, IdentityProvider } from './identify.ts';
import type { Rate } from './rate-limits.ts';
import type { RateLimit } from './token-bucket.ts';

interface Holder extends Identified {
  readonly key: AccessKey;
  readonly sha256: Uint8Array;
  /** Time at which the key expires, in ms since the Unix epoch; Infinity if it never expires. */
  readonly expires: number;
}

/** Identity provider for the access keys in the present content of the keys file. */
export class KeyRing implements IdentityProvider {
  readonly #config: ApiConfig;
  readonly #log: Log;
  readonly #limitOf: (rate: Rate) => RateLimit;
  #holders: readonly Holder[];

  constructor(config: ApiConfig, log: Log, limitOf: (rate: Rate) => RateLimit) {
    this.#config = config;
    this.#log = log;
    this.#limitOf = limitOf;
    this.#holders = this.#holdersOf(config.keys ?? [], []);
  }

  identify({ headers }: FastifyRequest): Identification {
    const token = presentedToken(headers);
    if (token === undefined) return NO_CREDENTIAL;
    const holder = findKey(this.#holders, token);
    if (!holder) return { kind: 'rejected', why: 'unknown key' };
    if (holder.expires <= Date.now()) return { kind: 'rejected', why: `the key of ${holder.client.name} has expired` };
    return holder;
  }

  /** Reads the keys file again. If the file is invalid, keeps the present keys and logs the error. */
  reload(): void {
    const { keysFile } = this.#config;
    if (keysFile === undefined) return;
    try {
      this.#holders = this.#holdersOf(readAccessKeys(keysFile), this.#holders);
      this.#log.info({ keys: this.#holders.length }, 'access keys were read again');
    } catch (error) {
      this.#log.error({ err: error }, 'the access keys stay as they were: their file is not right');
    }
  }

  /**
   * Returns the holders of `keys`. A key that was in `former` with the same rate keeps its rate limiter, so requests that were already
   * counted stay counted.
   */
  #holdersOf(keys: readonly AccessKey[], former: readonly Holder[]): readonly Holder[] {
    return keys.map((key) => {
      const before = former.find(({ key: one }) => hasSameCount(one, key));
      const limit = before?.rate ?? this.#limitOfKey(key);
      return {
        kind: 'identified',
        key,
        sha256: key.sha256,
        expires: key.expires === undefined ? Infinity : Date.parse(key.expires),
        client: clientOfKey(key, this.#config),
        ...(limit && { rate: limit }),
      };
    });
  }

  #limitOfKey({ name, requestsPerSecond: perSecond, burst }: AccessKey): RateLimit | undefined {
    if (perSecond === undefined) return undefined;
    return this.#limitOf({ name, perSecond, burst: burst ?? Math.max(1, Math.ceil(perSecond)) });
  }
}

/** Returns true if two keys share one request count, that is, if client name, token and rate are the same. */
function hasSameCount(one: AccessKey, other: AccessKey): boolean {
  const isSame = (['name', 'requestsPerSecond', 'burst'] as const).every((setting) => one[setting] === other[setting]);
  return isSame && Buffer.compare(one.sha256, other.sha256) === 0;
}
