import { describe, expect, it } from 'vitest';
import { threadCpuMs } from '../../../../testing/thread-cpu.ts';
import { thorough } from '../../../../testing/thorough.ts';
import { fitPower, SLOPE_TOLERANCE } from '../figures/time-growth.ts';
import { KNOWN_RULES, startOf } from '../testing/known-rules.ts';
import { pollPorts, POLLS, RUNNING, SPEC_RULE, widgetSubjects } from '../testing/studied-widget.ts';
import type { CellPorts } from './studied-definition.ts';
import { performCell } from './perform-cell.ts';

const COST_TOLERANCE = 0.05;
const COSTS = { kind: 'costs', rule: SPEC_RULE, seed: 1, objects: [], hints: [] } as const;

describe('the exponent with which the cost of a rule grows', () => {
  it.each(KNOWN_RULES.map((rule) => [rule.name, rule] as const))('differs from the theoretical exponent by at most 0.05: %s', (_, rule) => {
    const { spec, exponents, together } = rule;
    const { growsWith, growsTogether } = performCell({ ...COSTS, ms: POLLS, start: startOf(rule) }, widgetSubjects(spec), pollPorts());
    expect(growsWith.map(({ field, unit }) => `.${field} ${unit}`).toSorted()).toEqual(Object.keys(exponents).toSorted());
    for (const { field, unit, costExponent } of growsWith) {
      const theory = exponents[`.${field} ${unit}`] ?? Number.NaN;
      expect(Math.abs(costExponent - theory), `.${field} ${unit}: ${costExponent}`).toBeLessThanOrEqual(COST_TOLERANCE);
    }
    // The report omits pairs of sizes that also multiply the bytes, such as those of a list and of its texts.
    expect(growsTogether?.fields.map(({ field }) => field).toSorted()).toEqual(together);
    if (growsTogether) expect(Math.abs(growsTogether.costExponent - 2)).toBeLessThanOrEqual(COST_TOLERANCE);
  });
});

/** Rules that run long enough at their largest sizes for a clock to measure the time. */
const TIMED: readonly (readonly [name: string, properties: object, rule: string])[] = [
  ['linear', { a: { type: 'array', items: { type: 'integer' } } }, 'self.a.all(x, x < 5)'],
  ['quadratic', { a: { type: 'array', items: { type: 'integer' } } }, 'self.a.all(x, self.a.all(y, x <= y + 5))'],
  ['a text', { a: { type: 'string' } }, "!self.a.matches('^(b|[a-m]*z)$')"],
];
/** Maximum number of measurements of one rule. Only the best measurement counts, because a busy machine may spoil some measurements. */
const SITTINGS = 3;
const COSTS_MS = 6000;
const TIMES_MS = 10_000;

/**
 * Result of one measurement: the growth exponents of the time and of the cost. `disturbed` is the share of the time for which other work of
 * the machine had the core. It is undefined if that share was small.
 */
interface Sitting {
  readonly time: number;
  readonly cost: number;
  readonly disturbed: number | undefined;
}

const PORTS: CellPorts = { ...RUNNING, cpuMs: threadCpuMs };

/** Measures the times of a rule once. Returns the exponent of the time, and the exponent of the exact costs at the same sizes. */
function sitting(properties: object, rule: string, seed: number): Sitting {
  const subjects = widgetSubjects({ type: 'object', properties, 'x-kubernetes-validations': [{ rule }] });
  const { growsWith, worst, from } = performCell({ ...COSTS, ms: COSTS_MS }, subjects, RUNNING);
  const [steepest] = growsWith;
  if (steepest === undefined || worst === undefined || from === undefined) throw new Error('the growth was not found');
  const { field, unit, points } = steepest;
  const sizes = points.map(({ size }) => size);
  const cell = { kind: 'times', rule: SPEC_RULE, ms: TIMES_MS, seed, worst: worst.plan, steepest: { field, unit, sizes, from } } as const;
  const { series: all, disturbed } = performCell(cell, subjects, PORTS);
  const series = all.find(({ engine }) => engine === 'Assay compiled');
  const timed = new Set(series?.points.map(({ size }) => size));
  const costs = points.filter(({ size }) => timed.has(size)).map(({ size, cost }) => ({ size, value: cost }));
  return { time: series?.exponent?.value ?? Number.NaN, cost: fitPower(costs).exponent, disturbed };
}

describe.skipIf(!thorough)('the exponent with which the time of the compiled engine grows', () => {
  it.for(TIMED)(
    'differs from the exponent of the cost by at most 0.15, in the best of three measurements: %s',
    ([name, properties, rule], { skip }) => {
      const apart: number[] = [];
      for (let seed = 1; seed <= SITTINGS && !(Math.min(...apart) <= SLOPE_TOLERANCE); seed++) {
        const { time, cost, disturbed } = sitting(properties, rule, seed);
        process.stdout.write(`${name}: time n^${time.toFixed(3)}, cost n^${cost.toFixed(3)}, ${disturbed ?? 'not'} disturbed\n`);
        if (disturbed === undefined) apart.push(Math.abs(time - cost));
      }
      // A study on a busy machine reports no exponent.
      skip(apart.length === 0, 'the machine was busy in all sittings');
      expect(Math.min(...apart)).toBeLessThanOrEqual(SLOPE_TOLERANCE);
    },
  );
});
