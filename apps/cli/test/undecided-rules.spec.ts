import { expect, it } from 'vitest';
import type { PlacedFindings } from '#benchmark';
import { undecidedRules } from '../src/commands/bench/study-gate.ts';
import { readGates } from '../src/gates/read-gates.ts';

/** Findings about a rule that the study searched to its end. */
const STUDIED: PlacedFindings = {
  source: 'crd.yaml#1',
  definition: 'widgets.example.com',
  version: 'v1',
  path: 'x-kubernetes-validations[0]',
  rule: 'self.a > 1',
  growsWith: [],
  worst: { cost: 5, evaluations: 1, bytes: 9, end: 'accepted', plan: { fields: {}, old: 'none' } },
  isPartial: false,
  suggestedBounds: [],
  times: [],
  claims: [],
};
const MISSED: PlacedFindings = { ...STUDIED, notStudied: 'the time was over before its turn', isPartial: true, cutOff: 'study' };
const { worst: _worst, ...withoutWrite } = STUDIED;
const WITHOUT_WRITE: PlacedFindings = { ...withoutWrite, isPartial: true };
const EQUAL = { base: 5, head: 5, ratio: 1, verdict: 'equal' } as const;
const TIMED = { engine: 'Assay compiled', ratio: 1, lo: 0.9, hi: 1.2, verdict: 'undecided', pairs: 3 } as const;

it.each<[gates: string, rule: PlacedFindings, reason: RegExp | undefined]>([
  ['undecided', STUDIED, undefined],
  ['undecided', MISSED, /not studied: the time was over/],
  ['cost>5,undecided', { ...MISSED, change: 'none' }, /not studied/],
  ['cost>5,undecided', WITHOUT_WRITE, /before a write was found/],
  ['cost>5', MISSED, undefined],
  ['cost-worse>5%,undecided', { ...MISSED, change: 'none' }, undefined],
  ['cost-worse>5%,undecided', { ...MISSED, change: 'new' }, /not studied/],
  ['cost-worse>5%,undecided', { ...MISSED, change: 'gone' }, undefined],
  ['cost-worse>5%,undecided', { ...STUDIED, change: 'new', base: { kind: 'new' } }, undefined],
  ['cost-worse>5%,undecided', { ...STUDIED, change: 'fields', cutOff: 'comparison' }, /not compared/],
  ['cost-worse>5%,undecided', { ...STUDIED, change: 'fields', base: { kind: 'compared', cost: EQUAL } }, undefined],
  ['time-worse>5%,undecided', { ...STUDIED, change: 'fields', base: { kind: 'compared', cost: EQUAL } }, /times .* not compared/],
  [
    'time-worse>5%,undecided',
    { ...STUDIED, change: 'fields', base: { kind: 'compared', cost: EQUAL, time: TIMED } },
    /times do not decide/,
  ],
  ['limit-share>5%,undecided', MISSED, undefined],
])('%s: a rule is undecided only if the time did not suffice for one of these gates (%#)', (text, rule, reason) => {
  const read = readGates('bench', text);
  const found = undecidedRules([rule], read.ok ? read.gates : [], rule.change !== undefined);
  if (reason === undefined) expect(found).toEqual([]);
  else expect(found.map((one) => one.text)).toEqual([expect.stringMatching(reason)]);
});
