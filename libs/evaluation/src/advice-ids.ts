/** The kinds of advice, by which they are switched off. The engine declares them, one file each; a test holds this list and theirs together. */
export const ADVICE_IDS = [
  'transition-out-of-reach',
  'newer-function',
  'missing-has',
  'int-or-string',
  'removable-immutable',
  'unique-list',
  'unbounded-match',
  'missing-bound',
  'repeated-in-loop',
] as const;
