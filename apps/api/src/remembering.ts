/** Maximum number of cached texts. Clients usually send few different texts, and the cache has no benefit for a client that sends many. */
const REMEMBERED = 200;
/** Maximum length in characters of a cached text. */
const MAX_LENGTH = 500;

/** Returns a function that caches the results of `answer` for recent short texts, such as headers. */
export function cachingTexts<Answer>(answer: (text: string) => Answer): (text: string) => Answer {
  let recent = new Map<string, { readonly answer: Answer }>();
  return (text) => {
    const known = recent.get(text);
    if (known) return known.answer;
    const found = { answer: answer(text) };
    if (recent.size >= REMEMBERED) recent = new Map();
    if (text.length <= MAX_LENGTH) recent.set(text, found);
    return found.answer;
  };
}
