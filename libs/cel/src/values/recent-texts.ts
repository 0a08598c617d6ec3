/** Texts that are remembered by one function. */
const REMEMBERED = 4;
/** UTF-16 units of the longest text that is remembered. */
const MAX_LENGTH = 256;

/** Takes the texts of each function away. */
const forgetting: (() => void)[] = [];

/**
 * A function that remembers what another one made of the last few texts: the rules of one object parse the same address, URL or quantity again and again, to
 * ask one thing after the other of it. What is made must never change.
 */
export function remembering<Made>(make: (text: string) => Made): (text: string) => Made {
  const texts: string[] = [];
  const values: Made[] = [];
  let next = 0;
  forgetting.push(() => {
    if (texts.length === 0) return;
    texts.length = 0;
    values.length = 0;
    next = 0;
  });
  return (text) => {
    for (let i = 0; i < texts.length; i++) if (texts[i] === text) return values[i] as Made;
    const value = make(text);
    if (text.length <= MAX_LENGTH) {
      texts[next] = text;
      values[next] = value;
      next = (next + 1) % REMEMBERED;
    }
    return value;
  };
}

/** Forgets all texts: each may be a part of a document, which it keeps in memory. Called once an object has been judged. */
export function forgetTexts(): void {
  for (const forget of forgetting) forget();
}
