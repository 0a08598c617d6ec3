/** Number of most recent texts whose results each function from {@link cachingRecentTexts} caches. */
const REMEMBERED = 4;
/** Maximum length of a text whose result is cached, in UTF-16 units. */
const MAX_LENGTH = 256;

/**
 * Returns a function that caches the results of `make` for the last few texts. The cache helps because the rules of one object often parse
 * the same address, URL or quantity repeatedly. Cached results are shared, so they must never change.
 */
export function cachingRecentTexts<Made>(make: (text: string) => Made): (text: string) => Made {
  const texts: string[] = [];
  const values: Made[] = [];
  let next = 0;
  return (text) => {
    for (let i = 0; i < texts.length; i++) if (texts[i] === text) return values[i] as Made;
    if (text.length > MAX_LENGTH) return make(text);
    const own = ownCopy(text);
    const value = make(own);
    texts[next] = own;
    values[next] = value;
    next = (next + 1) % REMEMBERED;
    return value;
  };
}

/**
 * Returns a copy of a text that shares no memory with the original. The original may be a slice of a document, and would keep the whole
 * document in memory.
 */
const ownCopy = (text: string): string => ` ${text}`.slice(1);
