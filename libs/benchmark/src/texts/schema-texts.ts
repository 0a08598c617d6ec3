import { formatTexts } from './format-texts.ts';
import { patternTexts } from './pattern-texts.ts';
import type { Texts } from './texts.ts';

/** Texts for the patterns and formats of a schema, each found once. */
export class SchemaTexts {
  readonly #byPattern = new Map<string, Texts | undefined>();
  readonly #byFormat = new Map<string, Texts | undefined>();

  /** Returns texts that a pattern of RE2 matches; undefined if none are known. */
  ofPattern(pattern: string): Texts | undefined {
    if (!this.#byPattern.has(pattern)) {
      const found = patternTexts(pattern);
      this.#byPattern.set(pattern, found.ok ? found.texts : undefined);
    }
    return this.#byPattern.get(pattern);
  }

  /** Returns texts of a format that servers check, in the form in which people write them; undefined for other formats. */
  ofFormat(format: string): Texts | undefined {
    if (!this.#byFormat.has(format)) {
      const found = formatTexts(format);
      this.#byFormat.set(format, found && usual(found, found.usual));
    }
    return this.#byFormat.get(format);
  }
}

/** Returns the texts up to a length: functions of CEL do not read longer forms of some formats. */
function usual(texts: Texts, most: number): Texts {
  return {
    least: texts.least,
    most,
    text: (length, index) => texts.text(Math.min(length, most), index),
    distinct: (length) => texts.distinct(Math.min(length, most)),
  };
}
