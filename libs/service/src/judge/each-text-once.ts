import type { DefinitionText } from '#evaluation';

/** Returns an answer for each text, in order, and asks once for equal texts. `i`: the index of the first equal text. */
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
