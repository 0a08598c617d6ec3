import { describe, expect, it } from 'vitest';
import { checkOptions } from '#documents';
import type { EvaluationOptions } from '#documents';
import type { JudgedItem } from './judged.ts';
import { verdictLine } from './evaluate-items.ts';

function lineOf(judged: unknown, options: Partial<EvaluationOptions> = {}): string {
  const checked = checkOptions({});
  if (!checked.ok) throw new Error('options');
  const settings = { options: { ...checked.value, ...options }, definitions: [], refused: [] };
  return verdictLine(7, judged as JudgedItem, settings);
}

const definition = { plural: 'probes', group: 'example.com' };
const common = { apiVersion: 'example.com/v1', kind: 'Probe', definition, warnings: [], phases: { total: 1 } };
const verdict = { accepted: true, warnings: [], cost: { cel: 12 } };
const accepted = { outcome: 'accepted', ...common, name: 'a', namespace: 'b', verdict, object: { kind: 'Probe' } };

describe('the line of a verdict', () => {
  it.each([
    ['an ordinary acceptance', accepted, {}],
    ['the same, again', accepted, {}],
    ['another kind', { ...accepted, kind: 'Other', apiVersion: 'v1' }, {}],
    ['words that are escaped', { ...accepted, kind: 'Pro"be', name: 'a\n\ud800ü\\', namespace: '\u2028' }, {}],
    ['no names', { ...accepted, name: undefined, namespace: undefined }, {}],
    ['no definition', { ...accepted, definition: undefined }, {}],
    ['no cost', { ...accepted, verdict: { ...verdict, cost: { cel: undefined } } }, {}],
    ['a cost of nothing', { ...accepted, verdict: { ...verdict, cost: { cel: 0 } } }, {}],
    ['a great cost', { ...accepted, verdict: { ...verdict, cost: { cel: 2 ** 53 - 1 } } }, {}],
    ['a resourceVersion that was taken off', { ...accepted, verdict: { ...verdict, takenOff: true } }, {}],
    ['warnings', { ...accepted, warnings: ['unknown field "x"'] }, {}],
    ['times', accepted, { timings: true }],
    ['costs of single rules', accepted, { explain: true }],
    ['a refusal', { outcome: 'rejected', ...common, verdict, status: { code: 422 } }, {}],
    ['a missing definition', { outcome: 'notEvaluated', ...common, missing: true, status: { code: 404 } }, {}],
  ])('is the JSON of its fields in their order: %s', (_, judged, options) => {
    const { outcome, apiVersion, kind, name, namespace, status, missing, warnings, phases } = judged as unknown as JudgedItem;
    const { cost, takenOff } = (judged as { verdict: { cost: { cel?: number }; takenOff?: true } }).verdict ?? {};
    expect(lineOf(judged, options)).toBe(
      JSON.stringify({
        index: 7,
        apiVersion,
        kind,
        name,
        namespace,
        definition: judged.definition && 'probes.example.com',
        outcome,
        status,
        warnings,
        takenOff,
        missing,
        cost: cost?.cel === undefined ? undefined : { cel: cost.cel, ...('explain' in options && { rules: [] }) },
        ...('timings' in options && { timings: phases }),
      }),
    );
  });

  it('ends with the stored object on request', () => {
    expect(JSON.parse(lineOf(accepted, { returnObjects: true }))).toMatchObject({ index: 7, cost: { cel: 12 }, object: { kind: 'Probe' } });
  });
});
