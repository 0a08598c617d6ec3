/** Texts that are remembered by one function. */
const REMEMBERED = 4;
/** UTF-16 units of the longest text that is remembered. */
const MAX_LENGTH = 256;

/**
 * Returns a function that remembers another function's results for the last few texts. The rules of one object often
 * parse the same address, URL or quantity repeatedly. A result must never change.
 */
export function remembering<Made>(make: (text: string) => Made): (text: string) => Made {
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

/** Returns a copy of a text. A text may be a part of a document, which it keeps in memory. */
const ownCopy = (text: string): string => ` ${text}`.slice(1);
