import { LRUCache } from 'lru-cache';
import { steadyNow } from '#evaluation';
import type { DefinitionText } from '#evaluation';
import type { DefinitionHolder, DefinitionStore, Refusal } from '#queue';

/** Texts that are remembered, bytes; a longer one counts as that much. */
const REMEMBERED_BYTES = 64 * 1024 * 1024;
/** Texts are stored for so much longer than is asked for, ms: who names them again within that time need not prolong it. */
const SPARE_MS = 60_000;
/** Before the spare time is over, prolonging begins so much earlier, ms: longer than until the next batch. */
const EARLY_MS = 5000;
/** Prolongations are sent together this often, ms. */
const BATCH_MS = 1000;

/** A text, and how long the store keeps it, epoch ms of the steady clock. */
interface Remembered {
  readonly text: DefinitionText;
  readonly until: number;
}

/**
 * Definitions of a store that processes share, remembered in this process. Naming a remembered text asks the store
 * nothing. The times of all named texts are prolonged together once a second, and a store that was emptied gets the texts again. A store that is away is asked again.
 */
export class RememberedDefinitions implements DefinitionStore {
  readonly #store: DefinitionStore;
  readonly #now: () => number;
  readonly #known = new LRUCache<string, Remembered>({
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: ({ text: { slice } }) => Math.min(Math.max(slice.bytes.length, 1), REMEMBERED_BYTES),
  });
  /** Texts and holders by digest. The last holder counts. */
  readonly #toProlong = new Map<string, { readonly text: DefinitionText; readonly holder: DefinitionHolder }>();
  /** True if a batch is to be sent, or is under way. */
  #isDue = false;

  /** `now`: epoch ms by a clock that does not jump. */
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

  /** A text that the store keeps still. */
  #live(digest: string): Remembered | undefined {
    const known = this.#known.get(digest);
    return known !== undefined && known.until > this.#now() ? known : undefined;
  }

  /** Stores a text for longer than is asked for, and remembers it. */
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
