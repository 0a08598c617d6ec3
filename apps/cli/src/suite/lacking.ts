/**
 * Compares a value with its expectation. Returns a sentence about the first difference; undefined if there is no difference. In a map, only
 * the expected keys are compared; lists must have the same length. `name` names the value in the sentence.
 */
export function lacking(name: string, expected: unknown, found: unknown, path = ''): string | undefined {
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length)
    return expected.map((item, i) => lacking(name, item, found[i], `${path}[${i}]`)).find((problem) => problem !== undefined);
  if (isMap(expected) && isMap(found))
    return Object.entries(expected)
      .map(([key, value]) => lacking(name, value, found[key], path === '' ? key : `${path}.${key}`))
      .find((problem) => problem !== undefined);
  if (JSON.stringify(expected) === JSON.stringify(found)) return undefined;
  const what = found === undefined ? 'there is none' : `it is ${JSON.stringify(found)}`;
  return `${name}: expected ${path === '' ? '' : `${path} to be `}${JSON.stringify(expected)}, but ${what}`;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
