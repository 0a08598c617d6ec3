import { describe, expect, it } from 'vitest';
import type { DocumentReport, PlacedFinding } from '../judge/judge-messages.ts';
import { splitFindings, toneOf } from './report-tone.ts';

const error = (message: string): PlacedFinding => ({ severity: 'error', message });
const OVER = error('Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule)');
const PART_OF_SUM = error('Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema');
const SUM = error(
  'Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of 2',
);

describe('toneOf', () => {
  it.each<[string, DocumentReport['outcome'], readonly PlacedFinding[], string]>([
    ['an accepted document', 'accepted', [], 'accepted'],
    ['a document with a warning', 'accepted', [{ severity: 'warning', message: 'unknown field' }], 'warned'],
    ['a refused document', 'rejected', [error('Invalid value: too low')], 'refused'],
    ['a document with a refusal of one sentence', 'rejected', [], 'refused'],
    ['a definition with rules that are too expensive', 'rejected', [OVER, PART_OF_SUM, SUM], 'expensive'],
    [
      'an expensive messageExpression',
      'rejected',
      [error('Forbidden: estimated messageExpression cost exceeds budget by factor of 3x')],
      'expensive',
    ],
    ['an object that uses up the budget', 'rejected', [error('validation failed due to running out of cost budget, …')], 'expensive'],
    ['a definition with an expensive rule and another error', 'rejected', [OVER, error('Invalid value: too low')], 'refused'],
    ['an object without a definition', 'notEvaluated', [error('no definition')], 'open'],
    ['an object whose evaluation was stopped', 'cancelled', [], 'open'],
  ])('%s', (_, outcome, findings, tone) => expect(toneOf({ outcome, findings })).toBe(tone));
});

describe('splitFindings', () => {
  it('puts errors about the sum below the rule that causes them', () =>
    expect(splitFindings([OVER, PART_OF_SUM, SUM])).toEqual({ main: [OVER], following: [PART_OF_SUM, SUM] }));

  it('keeps errors about the sum if no rule is too expensive alone', () =>
    expect(splitFindings([PART_OF_SUM, SUM])).toEqual({ main: [PART_OF_SUM, SUM], following: [] }));
});
