import { steadyNow } from '#evaluation';
import { StorageUnavailable } from '../unavailable.ts';
import { inTime, LATE } from '../in-time.ts';

/** A storage that does not answer a probe within this time does not serve, ms. */
const PATIENCE_MS = 1000;
/** An answer counts for so long, ms: requests of many clients are one probe. */
const FRESH_MS = 1000;
/** A storage that did not answer within this time is probed, ms. */
const SOON_MS = 50;

/**
 * Lets requests pass to a storage that serves. If it does not, they fail at once and wait for no command to time out. A probe in the background finds out when
 * the storage serves again.
 */
export class StorageGate {
  readonly #probe: () => Promise<void>;
  /** The trouble of the storage; undefined if it serves, as far as is known. */
  #trouble: Trouble | undefined;
  #askedAt = -Infinity;
  #asking: Promise<void> | undefined;

  constructor(probe: () => Promise<void>) {
    this.#probe = probe;
  }

  /** Lets a write pass if the storage serves, as far as is known; rejects with {@link StorageUnavailable} within a second. */
  async pass(): Promise<void> {
    const trouble = await this.#lookForTrouble();
    if (trouble) throw unavailable(trouble);
  }

  /** Lets a read pass if the storage answers. A storage that is full, or a replica, does. */
  async passToRead(): Promise<void> {
    const trouble = await this.#lookForTrouble();
    if (trouble?.isAway === true) throw unavailable(trouble);
  }

  /** Asks the storage; rejects with {@link StorageUnavailable} within little more than a second if the storage does not answer. */
  async whileAnswering<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    await this.passToRead();
    const away = Promise.withResolvers<never>();
    const look = (): void => {
      timer = setTimeout(look, FRESH_MS);
      void this.#ask().then(() => this.#trouble?.isAway === true && away.reject(unavailable(this.#trouble)));
    };
    let timer = setTimeout(look, SOON_MS);
    try {
      return await Promise.race([ask(), away.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #lookForTrouble(): Promise<Trouble | undefined> {
    if (this.#trouble === undefined && steadyNow() - this.#askedAt >= FRESH_MS) await this.#ask();
    return this.#trouble;
  }

  #ask(): Promise<void> {
    this.#asking ??= this.#look().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #look(): Promise<void> {
    this.#trouble = await troubleOf(this.#probe);
    this.#askedAt = steadyNow();
    if (this.#trouble !== undefined) setTimeout(() => void this.#ask(), FRESH_MS).unref();
  }
}

/** Why a storage does not serve. */
interface Trouble {
  readonly words: string;
  /** True if it does not answer; false if it answers with an error. */
  readonly isAway: boolean;
}

const unavailable = ({ words }: Trouble): StorageUnavailable => new StorageUnavailable(`the storage does not serve: ${words}`);

/** Returns the trouble with something that is done; undefined if it is done in time. */
async function troubleOf(act: () => Promise<void>): Promise<Trouble | undefined> {
  const done = act().then(
    () => undefined,
    (error: unknown): Trouble => {
      const [name, words] = error instanceof Error ? [error.name, error.message] : ['', String(error)];
      return { words, isAway: name !== 'ReplyError' };
    },
  );
  const trouble = await inTime(PATIENCE_MS, done);
  return trouble === LATE ? { words: `no answer within ${PATIENCE_MS} ms`, isAway: true } : trouble;
}
