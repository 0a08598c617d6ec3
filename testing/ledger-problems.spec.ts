import { expect, it } from 'vitest';
import { ledgerProblems } from './ledger-problems.ts';

const seen = (sentence: string, upstream = 'cel-go#1') => ({ since: 37, seen: { sentence, upstream } });

it.each([
  ['a sentence with its version and a pull request', seen('Since 1.37, `a` costs 2'), []],
  ['a file and its version', seen('Since 1.37, `a` costs 2', 'cel-go v0.33.2 common/cost/estimator.go'), []],
  ['a reason why users see nothing', { since: 37, unseen: 'all versions have it' }, []],
  ['nothing', { since: 37 }, ['x says neither what users see nor why they see nothing']],
  ['an empty reason', { since: 37, seen: undefined, unseen: '' }, ['x says neither what users see nor why they see nothing']],
  ['another version', seen('Since 1.36, `a` costs 2'), ['x does not begin with "Since 1.37, "']],
  ['a full stop', seen('Since 1.37, `a` costs 2.'), ['x ends with a full stop']],
  ['an open code mark', seen('Since 1.37, `a costs 2'), ['x has a code mark without its counterpart']],
  ['a word of contributors', seen('Since 1.37, a minor costs 2'), ['x calls a version of Kubernetes a minor']],
  ['too many words', seen(`Since 1.37, ${'a '.repeat(24).trim()}`), ['x has more than 25 words']],
  ['no upstream change', seen('Since 1.37, `a` costs 2', 'somewhere'), ['x names no upstream change: somewhere']],
])('ledgerProblems() finds the problem, if there is one, of an entry with %s', (_, entry, problems) =>
  expect(ledgerProblems({ x: entry })).toEqual(problems),
);
