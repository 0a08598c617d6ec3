import { formatTexts } from './format-texts.ts';
import { patternTexts } from './pattern-texts.ts';
import type { Texts } from './texts.ts';

/** Cache of the text generators for the patterns and formats of a schema. */
export class SchemaTexts {
  readonly #byPattern = new Map<string, Texts | undefined>();
  readonly #byFormat = new Map<string, Texts | undefined>();
  /** Known results of `roomyLength`, by generator and arguments. */
  readonly #lengths = new Map<Texts, Map<string, number>>();

  /** Returns a generator of texts that an RE2 pattern matches. Returns undefined if no such texts can be generated. */
  ofPattern(pattern: string): Texts | undefined {
    if (!this.#byPattern.has(pattern)) {
      const found = patternTexts(pattern);
      this.#byPattern.set(pattern, found.ok ? remembering(found.texts) : undefined);
    }
    return this.#byPattern.get(pattern);
  }

  /**
   * Returns a generator of texts in a format that servers check, in the usual form of the format. Returns undefined for all other formats.
   */
  ofFormat(format: string): Texts | undefined {
    if (!this.#byFormat.has(format)) {
      const found = formatTexts(format);
      this.#byFormat.set(format, found && remembering(usual(found, found.usual)));
    }
    return this.#byFormat.get(format);
  }

  /**
   * Returns a length in code points, at least `wanted`, for which more than `count` different texts exist. Tries no length above `most`,
   * and returns the last length that it tried if no length is sufficient.
   */
  roomyLength(source: Texts, wanted: number, { most, count }: { readonly most: number; readonly count: number }): number {
    const lengths = this.#lengths.get(source) ?? new Map<string, number>();
    this.#lengths.set(source, lengths);
    const key = `${wanted} ${most} ${count}`;
    const length = lengths.get(key) ?? lengthWithRoom(source, wanted, { most: Math.min(most, source.most), count });
    lengths.set(key, length);
    return length;
  }
}

/**
 * Maximum length of a text that is cached, in code points. `MAX_CACHED_TEXTS` is the maximum number of cached texts per generator, and the maximum
 * index of a cached text.
 */
const [MAX_CACHED_LENGTH, MAX_CACHED_TEXTS] = [512, 4096];

/** Returns a generator with the same results as `texts` that caches texts whose requested length is at most `MAX_CACHED_LENGTH` code points. */
function remembering(texts: Texts): Texts {
  const known = new Map<number, string | undefined>();
  return {
    least: texts.least,
    most: texts.most,
    text: (length, index) => {
      if (length > MAX_CACHED_LENGTH || index > MAX_CACHED_TEXTS) return texts.text(length, index);
      const key = length * (MAX_CACHED_TEXTS + 1) + index;
      if (known.has(key)) return known.get(key);
      const text = texts.text(length, index);
      if (known.size < MAX_CACHED_TEXTS) known.set(key, text);
      return text;
    },
    distinct: (length) => texts.distinct(length),
  };
}

function lengthWithRoom(source: Texts, wanted: number, { most, count }: { readonly most: number; readonly count: number }): number {
  let length = Math.min(most, Math.max(wanted, source.least));
  for (let more = 1; length < most && source.distinct(length) <= count; more *= 2) length = Math.min(most, length + more);
  return length;
}

/** Returns a generator that limits the texts to the length `most`, because CEL functions do not accept longer forms of some formats. */
function usual(texts: Texts, most: number): Texts {
  return {
    least: texts.least,
    most,
    text: (length, index) => texts.text(Math.min(length, most), index),
    distinct: (length) => texts.distinct(Math.min(length, most)),
  };
}
