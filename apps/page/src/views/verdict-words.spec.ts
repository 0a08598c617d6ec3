import { describe, expect, it } from 'vitest';
import { countOutcomes } from '../judge/evaluate-texts.ts';
import type { DocumentReport, PlacedFinding } from '../judge/judge-client.ts';
import { splitFindings, toneOf, verdictWords } from './verdict-words.ts';

const report = (outcome: DocumentReport['outcome'], cost?: number): DocumentReport => ({
  pane: 'objects',
  line: 1,
  title: 'one',
  outcome,
  warnings: [],
  findings: [],
  ...(cost !== undefined && { cost }),
});
const words = (definitions: DocumentReport[], objects: DocumentReport[], policies: DocumentReport[] = []) =>
  verdictWords({ definitions, policies, objects, counts: countOutcomes(objects) }, '1.37');

describe('verdictWords', () => {
  it('reports rejected objects', () =>
    expect(words([report('accepted')], [report('rejected', 13), report('accepted', 8)])).toEqual({
      kind: 'bad',
      heading: '1 of 2 objects refused by Kubernetes 1.37',
      facts: ['definition accepted', '21 cost units'],
    }));

  it('names the first rejected document of several with its first error', () => {
    const error = { severity: 'error', message: 'Invalid value: too low' } as const;
    const refused: DocumentReport = { ...report('rejected'), title: 'Widget first', findings: [{ ...error, severity: 'warning' }, error] };
    expect(words([], [report('accepted'), refused, report('rejected')])).toMatchObject({ reason: 'Widget first: too low' });
    expect(words([refused], [])).toMatchObject({ reason: 'too low' });
  });

  it('reports an unreadable document, rather than a rejected object', () => {
    const at = { line: 5, column: 1, endLine: 5, endColumn: 1 };
    const error = { severity: 'error', message: 'yaml: line 4: did not find expected key', at } as const;
    const unread: DocumentReport = {
      ...report('rejected'),
      pane: 'definitions',
      title: 'A document of Definitions',
      isUnread: true,
      findings: [error],
    };
    expect(words([], [unread, report('notEvaluated'), report('notEvaluated')])).toEqual({
      kind: 'bad',
      heading: 'A document of Definitions cannot be read',
      reason: 'line 5: did not find expected key',
      facts: ['2 objects not judged'],
    });
  });

  it('reports a rejected definition before objects that were not evaluated', () =>
    expect(words([report('rejected')], [report('notEvaluated'), report('notEvaluated')])).toEqual({
      kind: 'bad',
      heading: 'Definition refused by Kubernetes 1.37',
      facts: ['2 objects not judged'],
    }));

  it('reports policies', () =>
    expect(words([report('accepted')], [], [report('rejected'), report('accepted')]).heading).toBe(
      '1 of 3 definitions and policies refused by Kubernetes 1.37',
    ));

  it('reports objects without a definition', () =>
    expect(words([], [report('notEvaluated')])).toEqual({ kind: 'open', heading: 'Object not judged', facts: [] }));

  it('names the cost in the heading if the cost is the only reason of a refusal', () => {
    const tooExpensive: DocumentReport = {
      ...report('rejected'),
      findings: [{ severity: 'error', message: 'Forbidden: estimated rule cost exceeds budget by factor of 5.6x' }],
    };
    expect(words([tooExpensive], [])).toMatchObject({ kind: 'expensive', heading: 'Definition refused by Kubernetes 1.37: too expensive' });
    expect(words([tooExpensive, report('rejected')], [])).toMatchObject({
      kind: 'bad',
      heading: 'All 2 definitions refused by Kubernetes 1.37',
    });
  });

  it('counts the warnings about accepted documents', () => {
    const warned: DocumentReport = { ...report('accepted'), findings: [{ severity: 'warning', message: "undefined field 'replica'" }] };
    expect(words([], [report('rejected')], [warned]).facts).toContain('policy accepted, with a warning');
    expect(words([], [], [warned, warned]).heading).toBe('All 2 policies accepted by Kubernetes 1.37, with 2 warnings');
  });

  it('reports that a server accepts everything', () => {
    expect(words([report('accepted')], []).heading).toBe('Definition accepted by Kubernetes 1.37');
    expect(words([report('accepted')], [report('accepted', 1), report('accepted', 2)]).heading).toBe(
      'All 2 objects accepted by Kubernetes 1.37',
    );
  });

  it('reports that there is nothing to evaluate', () => expect(words([], []).kind).toBe('none'));
});

const error = (message: string): PlacedFinding => ({ severity: 'error', message });
const OVER = error('Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule)');
const PART_OF_SUM = error('Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema');
const SUM = error(
  'Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of 2',
);

describe('the colour of the verdict', () => {
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
  ])('fits this state: %s', (_, outcome, findings, tone) => expect(toneOf({ outcome, findings })).toBe(tone));
});

describe('splitFindings', () => {
  it('puts the error about the total cost below the rule that causes it', () =>
    expect(splitFindings([OVER, PART_OF_SUM, SUM])).toEqual({ main: [OVER], following: [PART_OF_SUM, SUM] }));

  it('does not move the error about the total cost if no rule is too expensive alone', () =>
    expect(splitFindings([PART_OF_SUM, SUM])).toEqual({ main: [PART_OF_SUM, SUM], following: [] }));
});
