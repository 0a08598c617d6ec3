import { parseExpression } from './parser.ts';
import type { ParseResult } from './parser.ts';
import type { Syntax } from './syntax.ts';

/** Code points of texts whose trees are kept for a syntax; a tree takes some hundred times the bytes of its text. */
const KEPT_CODE_POINTS = 64_000;

/** Trees by text, the one used longest ago first. */
class ParsedTexts {
  readonly #results = new Map<string, ParseResult>();
  #codePoints = 0;

  get(text: string): ParseResult | undefined {
    const found = this.#results.get(text);
    if (found !== undefined) {
      this.#results.delete(text);
      this.#results.set(text, found);
    }
    return found;
  }

  keep(text: string, result: ParseResult): void {
    this.#results.set(text, result);
    this.#codePoints += text.length;
    for (const oldest of this.#results.keys()) {
      if (this.#codePoints <= KEPT_CODE_POINTS) break;
      this.#results.delete(oldest);
      this.#codePoints -= oldest.length;
    }
  }
}

/** Trees that were parsed lately, by what they were parsed under; bounded, and a function of the text alone. */
const parsed = new WeakMap<Syntax, ParsedTexts>();

/** Trees of plain texts, which are the same under each syntax with optionals, and without. */
const plainTexts = { optionals: new ParsedTexts(), noOptionals: new ParsedTexts() } as const;

/**
 * What syntaxes read otherwise, beside optionals: escapes, back-ticks, and macros, of which `has` is the same in all. A word that may be a macro counts as
 * one. `parse-once.spec.ts` compares the syntaxes of all minors, and the names with the tables of macros.
 */
const READ_OTHERWISE =
  /[\\`]|\b(?:all|exists|exists_one|existsOne|map|filter|sortBy|optMap|optFlatMap|transformList|transformMap|transformMapEntry|bind)\b/;

function textsOf(text: string, syntax: Syntax): ParsedTexts {
  if (!READ_OTHERWISE.test(text)) return syntax.optionals ? plainTexts.optionals : plainTexts.noOptionals;
  let texts = parsed.get(syntax);
  if (texts === undefined) parsed.set(syntax, (texts = new ParsedTexts()));
  return texts;
}

/**
 * Parses expression text, or gives the tree that it had lately: a rule is compiled as new and as stored, by one minor after the other, and definitions say
 * the same in each version and at many nodes. Trees are never changed, and equal ones are one; complaints are not kept.
 */
export function parseOnce(text: string, syntax: Syntax): ParseResult {
  const texts = textsOf(text, syntax);
  const known = texts.get(text);
  if (known !== undefined) return known;
  const result = parseExpression(text, syntax);
  if (result.ok) texts.keep(text, result);
  return result;
}
