import { steadyNow } from '#documents';
import { inTime, LATE, StorageUnavailable } from '../unavailable.ts';

/** Time in ms after which a storage that does not answer a probe counts as unavailable. */
const PATIENCE_MS = 1000;
/** Time in ms for which the answer of a probe is reused. Requests of many clients thus share one probe. */
const FRESH_MS = 1000;
/** Time in ms after which a probe is sent if the storage has not responded to a request. */
const SOON_MS = 50;

/**
 * Gate in front of a storage. Requests pass while the storage works. While it does not work, they fail at once instead of waiting for a
 * timeout. A background probe (a small test write) detects when the storage works again.
 */
export class StorageGate {
  readonly #probe: () => Promise<void>;
  /** Trouble that the last probe found. Undefined if the storage works. */
  #trouble: Trouble | undefined;
  #askedAt = -Infinity;
  #asking: Promise<void> | undefined;

  constructor(probe: () => Promise<void>) {
    this.#probe = probe;
  }

  /**
   * Resolves if the last probe found no trouble, so that a write may be sent. If there is trouble, rejects with {@link StorageUnavailable}
   * within a second.
   */
  async pass(): Promise<void> {
    const trouble = await this.#lookForTrouble();
    if (trouble) throw unavailable(trouble);
  }

  /** Resolves if the storage answers, so that a read may be sent. A storage that is full or is a replica also answers reads. */
  async passToRead(): Promise<void> {
    const trouble = await this.#lookForTrouble();
    if (trouble?.isAway === true) throw unavailable(trouble);
  }

  /**
   * Sends a request to the storage. Rejects with {@link StorageUnavailable} within little more than a second if the storage does not
   * answer.
   */
  async whileAnswering<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    await this.passToRead();
    const away = Promise.withResolvers<never>();
    const checkAgain = (): void => {
      timer = setTimeout(checkAgain, FRESH_MS);
      void this.#ask().then(() => this.#trouble?.isAway === true && away.reject(unavailable(this.#trouble)));
    };
    let timer = setTimeout(checkAgain, SOON_MS);
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
    this.#asking ??= this.#check().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #check(): Promise<void> {
    this.#trouble = await troubleOf(this.#probe);
    this.#askedAt = steadyNow();
    if (this.#trouble !== undefined) setTimeout(() => void this.#ask(), FRESH_MS).unref();
  }
}

/** Reason why a storage does not work. */
interface Trouble {
  readonly words: string;
  /** True if the storage does not answer; false if it answers with an error. */
  readonly isAway: boolean;
}

const unavailable = ({ words }: Trouble): StorageUnavailable => new StorageUnavailable(`the storage does not serve: ${words}`);

/** Runs an action and returns the trouble that occurs. Returns undefined if the action succeeds in time. */
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
