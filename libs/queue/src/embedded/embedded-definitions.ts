import { LRUCache } from 'lru-cache';
import type { DefinitionText } from '#evaluation';
import type { DefinitionStore } from '../ports.ts';
import type { Journal } from './journal.ts';

/** Definition texts kept in memory. */
const RECENT_TEXTS = 512;

/** The definitions port in one process: the journal has all texts, memory the recent ones. */
export class EmbeddedDefinitions implements DefinitionStore {
  readonly #journal: Journal;
  readonly #recent = new LRUCache<string, DefinitionText>({ max: RECENT_TEXTS });

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  put(text: DefinitionText): Promise<void> {
    // What memory holds need not be written again.
    if (!this.#recent.has(text.digest)) this.#journal.putDefinition(text);
    this.#recent.set(text.digest, text);
    return Promise.resolve();
  }

  get(digest: string): Promise<DefinitionText | undefined> {
    return Promise.resolve(this.#recent.get(digest) ?? this.#journal.definition(digest));
  }
}
