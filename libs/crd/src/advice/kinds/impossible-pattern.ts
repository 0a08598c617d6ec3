import type { AdviceKind } from '../advice.ts';
import { ofEachPattern } from '../each-pattern.ts';
import type { WrittenPattern } from '../each-pattern.ts';
import { quoteOf } from './quoted-pattern.ts';

/** Advice on patterns that no allowed text matches. */
export const impossiblePattern: AdviceKind = {
  id: 'impossible-pattern',
  title: 'Some text matches each pattern',
  doc: `A pattern such as \`a^b\` matches no text, because \`^\` is only true at the beginning of a text. The same is true of a pattern between slashes, such as \`/^[a-z]+$/\`, because in Go
the slashes are characters of the pattern. If the shortest match of a pattern is longer than \`maxLength\`, no text satisfies both. A server accepts such definitions, and then rejects
every value. Assay decides this with the automaton of the pattern, and not by its form.`,
  example: {
    before: `
properties:
  name: {type: string, maxLength: 63, pattern: '/^[a-z]+$/'}`,
    after: `
properties:
  name: {type: string, maxLength: 63, pattern: '^[a-z]+$'}`,
  },
  ...ofEachPattern((written) => (quoteOf(written.pattern) === undefined ? whyImpossible(written) : undefined)),
};

function whyImpossible({ pattern, minMatchLength, maxLength }: WrittenPattern): string | undefined {
  const least = minMatchLength(pattern);
  if (least === undefined) return undefined;
  if (least === Infinity) {
    const isBetweenSlashes = pattern.length > 2 && pattern.startsWith('/') && /\/[a-z]*$/.test(pattern);
    const remedy = isBetweenSlashes ? ' The slashes are characters of the pattern: leave them out.' : '';
    return `No text matches this pattern. It asks for characters before the beginning or after the end of the text, or for a character that does not exist.${remedy}`;
  }
  if (maxLength === undefined || least <= Number(maxLength)) return undefined;
  return `Texts that match this pattern have at least ${least} characters, but maxLength allows only ${maxLength}: no text satisfies both.`;
}
