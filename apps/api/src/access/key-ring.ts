import type { FastifyRequest } from 'fastify';
import type { Log } from '#telemetry';
import type { ApiConfig } from '../config.ts';
import { readAccessKeys } from './access-keys.ts';
import type { AccessKey } from './access-keys.ts';
import { holderOf } from './client.ts';
import { findKey, presentedToken } from './find-key.ts';
import { ABSENT } from './identify.ts';
import type { Identification, Identified, IdentityProvider } from './identify.ts';
import type { Rate } from './shared-rate.ts';
import type { RateLimit } from './token-bucket.ts';

interface Holder extends Identified {
  readonly key: AccessKey;
  readonly sha256: Uint8Array;
  /** Epoch ms. */
  readonly expires: number;
}

/** The access keys of the keys file, as it stands now. */
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
    if (token === undefined) return ABSENT;
    const holder = findKey(this.#holders, token);
    if (!holder) return { kind: 'rejected', why: 'unknown key' };
    if (holder.expires <= Date.now()) return { kind: 'rejected', why: `the key of ${holder.client.name} has expired` };
    return holder;
  }

  /** Reads the file again. If the file is not right, keeps the present keys, and logs it. */
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

  /** Keys that stay, with the rate that they have, keep count of their requests. */
  #holdersOf(keys: readonly AccessKey[], former: readonly Holder[]): readonly Holder[] {
    return keys.map((key) => {
      const before = former.find(({ key: one }) => hasSameCount(one, key));
      const limit = before?.rate ?? this.#limitOfKey(key);
      return {
        kind: 'identified',
        key,
        sha256: key.sha256,
        expires: key.expires === undefined ? Infinity : Date.parse(key.expires),
        client: holderOf(key, this.#config),
        ...(limit && { rate: limit }),
      };
    });
  }

  #limitOfKey({ name, requestsPerSecond: perSecond, burst }: AccessKey): RateLimit | undefined {
    if (perSecond === undefined) return undefined;
    return this.#limitOf({ name, perSecond, burst: burst ?? Math.max(1, Math.ceil(perSecond)) });
  }
}

/** Returns whether requests of one key count for another: the same client's, under the same token and rate. */
function hasSameCount(one: AccessKey, other: AccessKey): boolean {
  const isSame = (['name', 'requestsPerSecond', 'burst'] as const).every((setting) => one[setting] === other[setting]);
  return isSame && Buffer.compare(one.sha256, other.sha256) === 0;
}
