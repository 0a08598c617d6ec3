/** Equality is priced by the outermost length: this rule over {@link LISTS} is cheap on paper and slow in fact. */
export const DEEP_EQUALITY = 'self.lists.all(a, self.lists.all(b, a == b))';

/** The schema of `lists`. The bounds keep the static estimate of the rule below the server's limit. */
export const LISTS = {
  type: 'array',
  maxItems: 1000,
  items: { type: 'array', maxItems: 1, items: { type: 'array', maxItems: 400, items: { type: 'integer' } } },
};

/** Returns a value of `lists` in which so many are equal: 900 keep the rule busy for some seconds. */
export const equalLists = (count: number): number[][][] => Array.from({ length: count }, () => [Array.from({ length: 300 }, (_, i) => i)]);
