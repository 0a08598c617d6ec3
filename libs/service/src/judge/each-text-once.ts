import type { DefinitionText } from '#evaluation';

/**
 * Calls `ask` once for each distinct text and returns an answer for each text, in order. `i` is the index of the first of the equal texts.
 */
export function eachTextOnce<Answer>(
  texts: readonly DefinitionText[],
  ask: (text: DefinitionText, i: number) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const once = new Map<string, Promise<Answer>>();
  return Promise.all(
    texts.map((text, i) => {
      const known = once.get(text.digest) ?? ask(text, i);
      once.set(text.digest, known);
      return known;
    }),
  );
}
