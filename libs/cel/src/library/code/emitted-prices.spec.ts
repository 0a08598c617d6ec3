import { compileFunction } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { MINORS } from '#kube';
import { ArrayList } from '../../values/list.ts';
import { DYN } from '../../values/types/type.ts';
import { FUNCTIONS } from '../all.ts';
import { costVersion } from '../cost-version.ts';
import { Constants, js, Names } from './javascript.ts';
import { unitsCode } from './units.ts';
import type { CelType } from '../../values/types/type.ts';
import type { CelValue } from '../../values/value.ts';
import type { CostVersion, Measure, Overload } from '../define.ts';
import type { Operand, Shape } from './shape.ts';
import type { CodeSite } from './site.ts';

/**
 * Texts whose lengths are near the steps of cost formulas: empty, 1, 9, 10, 11 and more characters. Some contain code points of two UTF-16
 * units.
 */
const TEXTS = ['', 'a', 'k'.repeat(9), 'k'.repeat(10), 'k'.repeat(11), 'k'.repeat(30), 'k'.repeat(123), '😀'.repeat(6), '😀é'.repeat(41)];
const LISTS = [[], [1], [3, 1, 2], Array.from({ length: 40 }, (_, i) => i)];

interface Sample {
  readonly value: CelValue;
  /** Value of the operand, in the representation that generated code uses. */
  readonly held: unknown;
  readonly shape: Shape;
}

function samplesOf({ kind }: CelType): Sample[] {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other types have no samples
  switch (kind) {
    case 'string':
    case 'typeParameter':
      return TEXTS.map((value) => ({ value, held: value, shape: { kind: 'string' } }));
    case 'int':
      return [0, 7, -3].map((value) => ({ value, held: value, shape: { kind: 'int' } }));
    case 'bool':
      return [{ value: true, held: true, shape: { kind: 'bool' } }];
    case 'list':
      return LISTS.flatMap((items) => [
        { value: new ArrayList(items), held: items, shape: { kind: 'array', element: DYN } },
        { value: new ArrayList(items), held: items.length, shape: { kind: 'counted' } },
      ]);
    default:
      return [];
  }
}

/**
 * Runs the generated code of a cost formula with operands named a and b, and returns the cost. If `known` is true for a text operand, the
 * text is a constant. Returns undefined if the formula has no code for these operands.
 */
function emitted(measure: Measure, samples: readonly Sample[], costs: CostVersion, known: readonly boolean[]): number | undefined {
  const constants = new Constants(new Names());
  const site: CodeSite = {
    constants,
    writer: { line: () => undefined, fail: () => undefined, bail: () => undefined },
    costs,
    runsLong: false,
    hold: (_, expression) => expression,
    declare: (_, initial) => initial,
    boxed: ({ code }) => code,
  };
  const names = [js`a`, js`b`, js`c`];
  const operands = samples.map(({ held, shape }, i): Operand => ({ code: names[i]!, shape, ...(known[i] && { constant: held }) }));
  const units = measure.emit?.(site, operands);
  if (units === undefined) return undefined;
  const source = [...constants.declarations(), js`return ${unitsCode(site, units)};`].map((line) => line.source).join('\n');
  const evaluate = compileFunction(source, ['K', 'a', 'b', 'c']) as (...args: unknown[]) => number;
  return evaluate(constants.values, ...samples.map(({ held }) => held));
}

function combinations(lists: readonly (readonly Sample[])[]): Sample[][] {
  return lists.reduce<Sample[][]>((all, samples) => all.flatMap((before) => samples.map((sample) => [...before, sample])), [[]]);
}

const overloads: [string, Overload, Measure][] = FUNCTIONS.flatMap(({ overloads: declared }) =>
  declared.flatMap((overload): [string, Overload, Measure][] =>
    overload.measure?.emit === undefined || overload.parameters.length > 2 ? [] : [[overload.id, overload, overload.measure]],
  ),
);

describe("the costs that generated code computes for a function equal the interpreter's costs", () => {
  it('and are tested for all overloads with generated code', () => {
    const priced = new Set(overloads.map(([id]) => id));
    const inlined = FUNCTIONS.flatMap(({ overloads: declared }) => declared.filter(({ inline, measure }) => inline && measure));
    const simple = inlined.filter(({ parameters }) => parameters.every((type) => samplesOf(type).length > 0));
    expect(simple.filter(({ id }) => !priced.has(id)).map(({ id }) => id)).toEqual([]);
    expect(simple.length).toBeGreaterThan(5);
  });

  it.each(overloads)('for calls of %s', (_, overload, measure) => {
    for (const minor of MINORS) {
      const costs = costVersion(minor);
      for (const samples of combinations(overload.parameters.map(samplesOf))) {
        const measured = measure(
          samples.map(({ value }) => value),
          null,
          costs,
        );
        for (const known of [[], [true], [false, true], [true, true]]) {
          const inCode = emitted(measure, samples, costs, known);
          if (inCode !== undefined) expect([samples.map(({ held }) => held), inCode]).toEqual([samples.map(({ held }) => held), measured]);
        }
      }
    }
  });
});
