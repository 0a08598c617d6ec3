/**
 * Rule over {@link LISTS} with a low estimated cost but a long run time. The cost of comparing two lists depends only on the length of the
 * outermost lists, but the run time depends on all their elements.
 */
export const DEEP_EQUALITY = 'self.lists.all(a, self.lists.all(b, a == b))';

/** Schema of the field `lists`. Its bounds keep the static estimate of the rule below the server's limit. */
export const LISTS = {
  type: 'array',
  maxItems: 1000,
  items: { type: 'array', maxItems: 1, items: { type: 'array', maxItems: 400, items: { type: 'integer' } } },
};

/** Returns a value of `lists` with `count` equal elements. The rule needs some seconds for 900 elements. */
export const equalLists = (count: number): number[][][] => Array.from({ length: count }, () => [Array.from({ length: 300 }, (_, i) => i)]);
