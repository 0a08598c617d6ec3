/** Texts that are remembered: clients send few different ones, and who sends many gains nothing. */
const REMEMBERED = 200;
/** Longer texts are not kept. */
const LONGEST = 500;

/** Returns a function of short texts, such as headers, that remembers what it answered for the recent ones. */
export function remembering<Answer>(answer: (text: string) => Answer): (text: string) => Answer {
  let recent = new Map<string, { readonly answer: Answer }>();
  return (text) => {
    const known = recent.get(text);
    if (known) return known.answer;
    const found = { answer: answer(text) };
    if (recent.size >= REMEMBERED) recent = new Map();
    if (text.length <= LONGEST) recent.set(text, found);
    return found.answer;
  };
}
