import type { DefinitionText } from '#evaluation';

/** What is found out of each text, in their order: asked once of each, however often it comes. `i`: the index of the first that is the same. */
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
