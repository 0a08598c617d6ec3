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

/**
 * Parses expression text, or gives the tree that it had lately: a rule is compiled as new and as stored, and definitions say the same in
 * each version and at many nodes. Trees are never changed; complaints are not kept.
 */
export function parseOnce(text: string, syntax: Syntax): ParseResult {
  let texts = parsed.get(syntax);
  if (texts === undefined) parsed.set(syntax, (texts = new ParsedTexts()));
  const known = texts.get(text);
  if (known !== undefined) return known;
  const result = parseExpression(text, syntax);
  if (result.ok) texts.keep(text, result);
  return result;
}
