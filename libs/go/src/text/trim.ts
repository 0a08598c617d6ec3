const SPACE = '\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const LEADING = new RegExp(`^[${SPACE}]+`);
const ONE = new RegExp(`[${SPACE}]`);

/**
 * Returns the text without white space at its start and end, in the same way as Go's strings.TrimSpace. JavaScript's `trim` differs: it
 * removes the byte order mark and keeps U+0085.
 */
export function goTrim(text: string): string {
  // A pattern with an end anchor is tried at each space of a text, which takes quadratic time.
  let end = text.length;
  while (end > 0 && ONE.test(text.charAt(end - 1))) end--;
  return goTrimStart(text.slice(0, end));
}

/** Returns the text without white space at its start, as {@link goTrim} removes it. */
export function goTrimStart(text: string): string {
  return text.replace(LEADING, '');
}
