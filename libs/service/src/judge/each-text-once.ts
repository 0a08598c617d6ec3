import type { DefinitionText } from '#documents';

/**
 * Calls `ask` once for each distinct text. Returns one answer for each element of `texts`, in order. `i` is the index of the first of
 * several equal texts.
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
