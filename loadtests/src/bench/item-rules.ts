import { validateObject } from '#crd';
import type { CompiledDefinition } from '#crd';
import { fixedText } from '../measure/figures.ts';
import { median } from '../measure/percentile.ts';
import { compiled, largeBody, largeDefinition, timed, UNLIMITED } from '../workloads/judging.ts';
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
    const list = (more: object): CompiledDefinition =>
      compiled(largeDefinition({ list: { type: 'array', maxItems: ELEMENTS, items: { ...items, ...more } } }));
    const [ruled, bare] = [list({ 'x-kubernetes-validations': [{ rule }] }), list({})];
    const body = largeBody({ list: Array.from({ length: ELEMENTS }, (_, i) => element(i)) });
    const judge = (definition: CompiledDefinition): number => {
      const write = { operation: 'CREATE', body, contentType: 'application/json', fieldValidation: 'Warn' } as const;
      const { value, ms } = timed(() => validateObject(definition, write, { costLimit: UNLIMITED, budget: UNLIMITED }));
      if ('cancelled' in value || !value.accepted) throw new Error(`${name} is not accepted`);
      return ms;
    };
    const differences: number[] = [];
    for (const until = performance.now() + (quick ? 600 : 3000); performance.now() < until;) differences.push(judge(ruled) - judge(bare));
    const ns = ((median(differences) ?? 0) * 1e6) / ELEMENTS;
    return [name, rule, fixedText(ns, 1), String(WANTED_NS), ns <= WANTED_NS ? 'met' : 'missed'];
  });
  return {
    columns: ['rule at items', 'text', 'ns per element', 'wanted', 'gate'],
    rows,
    failedGates: [],
    notes: [`${ELEMENTS} elements, median of pairs of runs, with and without the rule.`],
  };
}
