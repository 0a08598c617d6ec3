/**
 * Rules that call the most frequently used functions. The median of their times per cost unit shows how long a cost unit takes. A studied
 * rule that takes far longer per unit is reported.
 */
export const REFERENCE_RULES: readonly string[] = [
  'self.ints.all(x, x >= 0)',
  '!self.ints.exists(x, x < 0)',
  'self.ints.map(x, x + 1).size() > 0',
  'self.ints.filter(x, x % 2 == 0).size() > 0',
  'self.ints.exists_one(x, x == 7)',
  'self.ints.sum() > 0',
  'self.ints.all(x, x in self.ints || x > 0)',
  "self.texts.all(t, t.startsWith('a'))",
  "self.texts.all(t, !t.contains('zz'))",
  "self.texts.all(t, t.matches('^[a-z]+$'))",
  'self.texts.all(t, t.size() < 100)',
  "self.texts.all(t, t + 'x' != t)",
  'self.texts.all(t, t.lowerAscii() == t)',
  "self.texts.all(t, t.split('-').size() == 1)",
  "self.texts.join(',').size() > 0",
  'self.objects.all(o, has(o.a) && o.a >= 0)',
  "self.objects.all(o, o.name != 'b' || o.a > 5)",
];

/** Number of elements in each list of the object on which the reference rules are evaluated. */
const ELEMENTS = 256;

/**
 * Returns the JSON of the object on which the {@link REFERENCE_RULES} are evaluated. These rules show how long a cost unit usually takes.
 */
export function referenceObject(): string {
  const numbers = Array.from({ length: ELEMENTS }, (_, i) => i);
  return JSON.stringify({
    ints: numbers,
    texts: numbers.map(() => 'abcdefghijklmnop'),
    objects: numbers.map((a) => ({ a, name: 'abcdefgh' })),
  });
}
