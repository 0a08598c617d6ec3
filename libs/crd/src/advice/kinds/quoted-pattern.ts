import { readPattern } from '#go';
import type { AdviceKind } from '../advice.ts';
import { ofEachPattern } from '../each-pattern.ts';

/** Advice on patterns that contain the quotes in which their author wrote them. */
export const quotedPattern: AdviceKind = {
  id: 'quoted-pattern',
  title: 'A pattern does not contain the quotes around it',
  doc: `If a pattern is quoted twice, such as \`pattern: "'^[a-z]+$'"\`, the inner quotes are characters of the pattern. Then only texts with these quotes can match. If \`^\` follows the
quote, no text matches at all. This happens if a generator, a template or a comment marker writes a quoted pattern in quotes. Assay gives this advice if a pattern begins and ends with
the same kind of quotes.`,
  example: {
    before: `
properties:
  name: {type: string, maxLength: 63, pattern: "'^[a-z]+$'"}`,
    after: `
properties:
  name: {type: string, maxLength: 63, pattern: '^[a-z]+$'}`,
  },
  ...ofEachPattern(({ pattern }) => {
    const quote = quoteOf(pattern);
    if (quote === undefined) return undefined;
    return `The quotes ${quote} at both ends are characters of this pattern, so only texts that contain them can match. Write the pattern in one pair of quotes.`;
  }),
};

/** Returns the quote that a pattern asks for at its beginning and its end, or undefined. */
export function quoteOf(pattern: string): string | undefined {
  const quote = pattern.charAt(0);
  if (!QUOTES.has(quote) || pattern.length < 3 || !pattern.endsWith(quote)) return undefined;
  const tree = readPattern(pattern);
  // Alternatives may match without the quotes.
  if (tree?.kind !== 'concat') return undefined;
  const ends = [tree.parts.at(0), tree.parts.at(-1)];
  return ends.every((part) => part?.kind === 'atom' && part.text === quote) ? quote : undefined;
}

const QUOTES: ReadonlySet<string> = new Set(["'", '"', '`']);
