import { LRUCache } from 'lru-cache';
import type { DefinitionText } from '#documents';
import { DefinitionLoad } from '../definition-load.ts';
import type { Refusal } from '#runner/flow';
import type { QueueLimits } from '../limits.ts';
import type { DefinitionHolder, DefinitionStore } from '../ports.ts';
import type { Journal } from './journal.ts';

/** Maximum number of definition texts that are cached in memory. */
const RECENT_TEXTS = 512;

/** Time for which a definition is kept beyond the deadline of its evaluation, ms. The last chunk may end after the deadline. */
const GRACE_MS = 60_000;

/**
 * Store of definition texts for the service in a single process, without Redis. The journal (an SQLite file) contains all texts, and
 * recently used texts are also cached in memory.
 */
export class EmbeddedDefinitions implements DefinitionStore {
  readonly #journal: Journal;
  readonly #now: () => number;
  readonly #load: DefinitionLoad;
  readonly #recent = new LRUCache<string, DefinitionText>({ max: RECENT_TEXTS });

  /** `now` returns the current time in epoch ms, by a clock that does not jump. */
  constructor(journal: Journal, limits: QueueLimits, now: () => number) {
    this.#journal = journal;
    this.#now = now;
    this.#load = new DefinitionLoad(limits);
  }

  put(text: DefinitionText, { flow, leftMs, keptAs }: DefinitionHolder): Promise<Refusal | undefined> {
    const { digest, slice } = text;
    const now = this.#now();
    for (const expired of this.#load.expire(now)) {
      this.#recent.delete(expired);
      this.#journal.dropDefinition(expired);
    }
    const refusal = this.#load.charge({ digest, bytes: slice.bytes.length, until: now + leftMs + GRACE_MS, flow, keptAs });
    // A text in memory is already in the journal.
    if (!refusal && this.#recent.get(digest) === undefined && this.#journal.putDefinition(text)) this.#recent.set(digest, text);
    return Promise.resolve(refusal);
  }

  get(digest: string): Promise<DefinitionText | undefined> {
    return Promise.resolve(this.#recent.get(digest) ?? this.#journal.definition(digest));
  }
}
