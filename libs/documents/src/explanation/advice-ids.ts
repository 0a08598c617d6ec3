/**
 * Identifiers of the kinds of advice. Users disable advice by these identifiers. The engine declares each kind once; a test
 * checks that this list is complete.
 */
export const ADVICE_IDS = [
  'transition-out-of-reach',
  'newer-function',
  'missing-has',
  'int-or-string',
  'removable-immutable',
  'yaml-word',
  'quoted-pattern',
  'impossible-pattern',
  'unanchored-pattern',
  'unique-list',
  'unbounded-match',
  'missing-bound',
  'repeated-in-loop',
] as const;
