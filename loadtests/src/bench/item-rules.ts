import type { CompiledDefinition } from '#crd';
import { fixedText } from '#charts';
import { compiled, largeBody, largeDefinition } from '../workloads/judging.ts';
import { addedTime } from './added-time.ts';
import type { BenchTable } from './bench-table.ts';

const ELEMENTS = 100_000;
/** Most that a rule may add to an element, ns. */
const WANTED_NS = 2;

interface RuleCase {
  readonly name: string;
  readonly items: object;
  readonly rule: string;
  readonly element: (i: number) => unknown;
}

const CASES: readonly RuleCase[] = [
  { name: 'integer, a comparison', items: { type: 'integer' }, rule: 'self >= 0', element: (i) => i },
  { name: 'string, how it begins', items: { type: 'string', maxLength: 10 }, rule: "self.startsWith('a')", element: (i) => `a${i}` },
  { name: 'string, its size', items: { type: 'string', maxLength: 10 }, rule: 'self.size() < 10', element: (i) => `a${i}` },
];

/** ns per element that a rule of a list's items adds: the same objects by a definition with the rule and by one without. */
export function benchItemRules(quick: boolean): BenchTable {
  const rows = CASES.map(({ name, items, rule, element }) => {
    const list = (rules: object): CompiledDefinition =>
      compiled(largeDefinition({ list: { type: 'array', maxItems: ELEMENTS, items: { ...items, ...rules } } }));
    const [more, plain] = [list({ 'x-kubernetes-validations': [{ rule }] }), list({})];
    const body = largeBody({ list: Array.from({ length: ELEMENTS }, (_, i) => element(i)) });
    const { addedNs: ns } = addedTime({ more, plain, body, elements: ELEMENTS, budgetMs: quick ? 600 : 3000 });
    return [name, rule, fixedText(ns, 1), String(WANTED_NS), ns <= WANTED_NS ? 'met' : 'missed'];
  });
  return {
    columns: ['rule at items', 'text', 'ns per element', 'wanted', 'gate'],
    rows,
    failedGates: [],
    notes: [`${ELEMENTS} elements, median of pairs of runs, with and without the rule.`],
  };
}
