/**
 * Joins the defined parts of a finding into one sentence, or returns `Nothing was measured` if there are none. Each part must name its
 * subject, because the part that precedes it may be missing.
 */
export function sentence(parts: readonly (string | undefined)[]): string {
  const text = parts.filter((part) => part !== undefined && part !== '').join('; ');
  return text === '' ? 'Nothing was measured' : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Returns the part of a finding that lists what was not measured; undefined if `names` is empty. */
export const missing = (names: readonly string[]): string | undefined =>
  names.length === 0 ? undefined : `not measured: ${names.join(', ')}`;
