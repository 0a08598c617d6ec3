/** Joins parts of a finding to one sentence, without undefined parts. Each part names its subject, measured or not. */
export function sentence(parts: readonly (string | undefined)[]): string {
  const text = parts.filter((part) => part !== undefined && part !== '').join('; ');
  return text === '' ? 'Nothing was measured' : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Returns the part of a finding that names what is missing; undefined where nothing is. */
export const missing = (names: readonly string[]): string | undefined =>
  names.length === 0 ? undefined : `not measured: ${names.join(', ')}`;
