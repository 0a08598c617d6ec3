import { LRUCache } from 'lru-cache';
import { steadyNow } from '#documents';
import type { DefinitionText } from '#documents';
import type { DefinitionHolder, DefinitionStore } from '#jobs';
import type { Refusal } from '#runner/flow';

/** Maximum total size in bytes of the cached texts. A text that is longer than this maximum counts as exactly this size. */
const REMEMBERED_BYTES = 64 * 1024 * 1024;
/**
 * Time in ms for which the store keeps each text longer than requested. Further requests for the text within this time need not extend its
 * lifetime.
 */
const SPARE_MS = 60_000;
/**
 * Remaining part of a text's additional time, in ms, below which the lifetime of the text is extended. It is longer than the time until the
 * next batch of extensions.
 */
const EARLY_MS = 5000;
/** Interval in ms at which extensions of lifetimes are sent together. */
const BATCH_MS = 1000;

/** Text of a definition, and the time until which the store keeps it, in epoch ms of the steady clock. */
interface Remembered {
  readonly text: DefinitionText;
  readonly until: number;
}

/**
 * Cache of definitions in front of a store that several processes share. Using a cached text requires no request to the store. Once per
 * second, one batch of requests extends the lifetimes of the used texts that would soon expire. If the store lost a text, the text is
 * thereby stored again. If the store is unavailable, the next batch repeats the request.
 */
export class RememberedDefinitions implements DefinitionStore {
  readonly #store: DefinitionStore;
  readonly #now: () => number;
  readonly #known = new LRUCache<string, Remembered>({
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: ({ text: { slice } }) => Math.min(Math.max(slice.bytes.length, 1), REMEMBERED_BYTES),
  });
  /**
   * Texts whose lifetime must be extended, by digest. Each text has a holder: the flow that is charged for it. If several evaluations use a
   * text, only the last holder is recorded.
   */
  readonly #toProlong = new Map<string, { readonly text: DefinitionText; readonly holder: DefinitionHolder }>();
  /** True if a batch of extensions is scheduled or being sent. */
  #isDue = false;

  /** `now` returns epoch ms of a clock that does not jump. */
  constructor(store: DefinitionStore, now: () => number = steadyNow) {
    this.#store = store;
    this.#now = now;
  }

  put(text: DefinitionText, holder: DefinitionHolder): Promise<Refusal | undefined> {
    const known = this.#live(text.digest);
    if (known === undefined) return this.#storeLonger(text, holder);
    if (known.until < this.#now() + holder.leftMs + EARLY_MS) this.#prolong(text, holder);
    return Promise.resolve(undefined);
  }

  async get(digest: string): Promise<DefinitionText | undefined> {
    return this.#live(digest)?.text ?? this.#store.get(digest);
  }

  /** Returns a cached text with its end time if the store still keeps the text; otherwise undefined. */
  #live(digest: string): Remembered | undefined {
    const known = this.#known.get(digest);
    return known !== undefined && known.until > this.#now() ? known : undefined;
  }

  /** Stores a text for longer than requested, by `SPARE_MS`, and caches the text. */
  async #storeLonger(text: DefinitionText, holder: DefinitionHolder): Promise<Refusal | undefined> {
    const leftMs = holder.leftMs + SPARE_MS;
    const until = this.#now() + leftMs;
    const refusal = await this.#store.put(text, { ...holder, leftMs });
    if (refusal === undefined) this.#known.set(text.digest, { text, until });
    return refusal;
  }

  #prolong(text: DefinitionText, holder: DefinitionHolder): void {
    this.#toProlong.set(text.digest, { text, holder });
    if (!this.#isDue) this.#sendLater();
  }

  #sendLater(): void {
    this.#isDue = true;
    setTimeout(() => void this.#sendAll(), BATCH_MS).unref();
  }

  async #sendAll(): Promise<void> {
    const batch = [...this.#toProlong.values()];
    this.#toProlong.clear();
    const requests = batch.map(async ({ text, holder }) => {
      await this.#storeLonger(text, holder).catch(() => this.#toProlong.set(text.digest, { text, holder }));
    });
    await Promise.all(requests);
    this.#isDue = false;
    if (this.#toProlong.size > 0) this.#sendLater();
  }
}
