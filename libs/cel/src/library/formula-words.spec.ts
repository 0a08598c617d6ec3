import { utf8Length } from '#go';
import { LATEST_MINOR, MINORS } from '#kube';
import { describe, expect, it } from 'vitest';
import { costVersion } from './cost-version.ts';
import { exactly, MAX_UNITS, range } from './range.ts';
import { ArrayList } from '../values/list.ts';
import { EntryMap } from '../values/map.ts';
import { standardCostSizeOf } from '../values/size.ts';
import { isList, isMap } from '../values/type-of.ts';
import { CelError, NO_SUCH_OVERLOAD } from '../values/value.ts';
import type { CelValue } from '../values/value.ts';
import { LibraryValue } from '../values/library-value.ts';
import { evaluateFormula } from '../testing/evaluate-formula.ts';
import { BYTES, DYN, INT, listOf, mapOf, STRING, typeParameters } from '../values/types/type.ts';
import type { CelType } from '../values/types/type.ts';
import type { FormulaNames } from '../testing/evaluate-formula.ts';
import type { SizeRange } from './range.ts';
import { FUNCTIONS } from './all.ts';
import { JSON_PATCH_FUNCTIONS } from './kubernetes/json-patch.ts';
import { nominal, oneUnit } from './formulas.ts';
import type { Clause, CostVersion, EstimatedCall, EstimatedOperand, Estimate, Measure, Overload, PlainCall } from './define.ts';

const OVERLOADS = [...FUNCTIONS, ...JSON_PATCH_FUNCTIONS].flatMap(({ name, overloads }) =>
  overloads.map((overload) => [`${name} ${overload.id}`, overload] as const),
);
const NAMES = ['x', 'y', 'z'];

/** Cost versions of all Kubernetes minor versions. Of cost versions that differ only in the property `minor`, one is kept. */
const VERSIONS: readonly CostVersion[] = [
  ...new Map(MINORS.map(costVersion).map((costs) => [JSON.stringify({ ...costs, minor: 0 }), costs])).values(),
];

/** Returns the index of an operand by its name in formulas. */
const indexOf = (name: string): number => NAMES.indexOf(name);

/** Returns the formula of the last clause whose condition is true. */
function formulaFor(clauses: readonly Clause[], holds: (when: string) => boolean): string {
  return clauses.findLast(({ when }) => when === undefined || holds(when))!.formula;
}

describe('the documented formulas of estimates', () => {
  it.each(OVERLOADS)('give the estimated cost of %s', (_, overload) => {
    const estimate = overload.estimate ?? nominal;
    const calls = VERSIONS.flatMap((costs) => [...callsOf(overload, costs)]);
    expect(calls.map((call) => estimateDifference(estimate, call)).filter((difference) => difference !== undefined)).toEqual([]);
  });
});

/**
 * Returns the cost by the displayed formula together with the estimated cost if the two costs differ. Returns undefined if they are equal.
 * Beyond 2^53, both are compared as float64 numbers, because upstream computes in float64.
 */
function estimateDifference(estimate: Estimate, call: EstimatedCall): object | undefined {
  const { cost, resultSize, operandCost } = estimate(call);
  const { formulas } = estimate;
  const printed = (clauses: readonly Clause[] | undefined): bigint | undefined => {
    if (clauses === undefined || clauses.length === 0) return undefined;
    return BigInt(
      evaluateFormula(
        formulaFor(clauses, (when) => holdsOfCall(when, call)),
        namesOf(call, resultSize, formulas.unknownIsUnlimited?.(call.costs) === true),
      ),
    );
  };
  const text = {
    cost: printed(formulas.cost(call.costs)),
    resultSize: printed(formulas.resultSize?.(call.costs)),
    operandCost: printed(formulas.operandCost?.(call.costs)),
  };
  const estimated = { cost: cost.max, resultSize: resultSize?.max, operandCost: operandCost?.max };
  const parts = ['cost', 'resultSize', 'operandCost'] as const;
  if (parts.every((part) => text[part] === estimated[part] || Number(text[part]) === Number(estimated[part]))) return undefined;
  return { said: text, estimated, operands: call.operands };
}

const operandOf = (call: EstimatedCall, name: string): EstimatedOperand => call.operands[indexOf(name)]!;
const literalOf = ({ literal }: EstimatedOperand): bigint | undefined => (literal?.type === 'int' ? literal.value : undefined);

function namesOf(call: EstimatedCall, resultSize: SizeRange | undefined, unknownIsUnlimited: boolean): FormulaNames {
  return {
    size: (name) => {
      if (name === 'result') return resultSize!.max;
      if (name === 'element') return call.operands[0]!.elementSize?.max ?? MAX_UNITS;
      return operandOf(call, name).size?.max ?? (unknownIsUnlimited ? Infinity : MAX_UNITS);
    },
    least: (name) => operandOf(call, name).size?.min ?? 0n,
    cost: (name) => operandOf(call, name).cost.max,
    value: (name) => literalOf(operandOf(call, name))!,
    literal: (name, otherwise) => {
      const literal = literalOf(operandOf(call, name));
      return literal === undefined ? otherwise : literal < 0n ? 0n : literal;
    },
  };
}

const isText = (type: CelType | undefined): boolean => type?.kind === 'string' || type?.kind === 'bytes';
const libraryName = (type: CelType): string | undefined => (type.kind === 'opaque' || type.kind === 'object' ? type.name : undefined);

function holdsOfCall(when: string, call: EstimatedCall): boolean {
  const [x, y, z] = call.operands;
  const both = x !== undefined && y !== undefined && libraryName(x.type) === libraryName(y.type) ? libraryName(x.type) : undefined;
  const listed = /^both are one of (.*)$/.exec(when)?.[1];
  if (listed !== undefined) return both !== undefined && listed.split(', ').includes(both);
  switch (when) {
    case 'both are kubernetes.NamedFormat':
      return both === 'kubernetes.NamedFormat';
    case 'both are kubernetes.URL':
      return both === 'kubernetes.URL';
    case 'both are kubernetes.URL of unknown size':
      return both === 'kubernetes.URL' && y!.size === undefined;
    case 'x is dyn':
      return x!.type.kind === 'dyn';
    case 'x is a list of strings or bytes':
      return x!.type.kind === 'list' && isText(x!.type.element);
    case 'x is a list of strings or bytes, or a map with such keys':
      return isText(typeParameters(x!.type)[0]);
    case 'z is never longer than y':
      return z!.size !== undefined && z!.size.max <= (y!.size?.min ?? 0n);
    case 'y may be empty':
      return (y!.size?.min ?? 0n) === 0n;
    case 'z is a literal':
      return literalOf(z!) !== undefined;
    case 'y is a negative literal':
      return y !== undefined && (literalOf(y) ?? 0n) < 0n;
    default:
      throw new Error(`no such case of a call: ${when}`);
  }
}

/** Yields calls of an overload with operands of many sizes and types, including int literals. */
function* callsOf({ parameters, style }: Overload, costs: CostVersion): Generator<EstimatedCall> {
  const choices = parameters.map((parameter) => operandsFor(parameter));
  const rounds = Math.max(1, ...choices.map(({ length }) => length));
  // The rounds cover all combinations of any two operands. They do not cover all combinations of three operands, which are too many.
  for (let i = 0; i < rounds; i++) {
    for (let j = 0; j < rounds; j++) {
      yield { style, costs, operands: choices.map((operands, n) => operands[(n === 0 ? i : n === 1 ? j : i + 2 * j) % operands.length]!) };
    }
  }
}

const SIZES: readonly (SizeRange | undefined)[] = [
  undefined,
  exactly(0n),
  exactly(1n),
  range(0n, 7n),
  range(3n, 10n),
  range(4n, 123n),
  range(0n, 3_145_728n),
];
const LITERALS = [0n, 5n, 12n, -3n];

function operandsFor(parameter: CelType): EstimatedOperand[] {
  const operands = typesFor(parameter).flatMap((type) =>
    SIZES.map((size, i): EstimatedOperand => {
      const elementSize = SIZES[(i * 3) % SIZES.length];
      return { literal: undefined, type, size, elementSize, cost: exactly(BigInt(i * i)) };
    }),
  );
  if (parameter.kind !== 'int') return operands;
  const literals = LITERALS.map((value): EstimatedOperand => {
    return { literal: { type: 'int', value }, type: INT, size: exactly(1n), elementSize: undefined, cost: exactly(0n) };
  });
  return [...operands, ...literals];
}

/** Returns types that an operand may have for a parameter. */
function typesFor(parameter: CelType): readonly CelType[] {
  if (parameter.kind === 'typeParameter') return [INT, STRING, ...LIBRARY_TYPES];
  if (parameter.kind === 'dyn') return [DYN, listOf(STRING), listOf(INT), mapOf(STRING, INT)];
  if (parameter.kind !== 'list') return [parameter];
  return parameter.element.kind === 'typeParameter' ? [listOf(STRING), listOf(BYTES), listOf(INT), DYN] : [parameter, DYN];
}

/** All library types that occur in signatures of functions. */
const LIBRARY_TYPES: readonly CelType[] = [
  ...new Map(
    OVERLOADS.flatMap(([, { parameters, result }]) => [...parameters, result])
      .filter((type) => libraryName(type) !== undefined)
      .map((type) => [libraryName(type), type]),
  ).values(),
];

describe('the documented formulas of run-time costs', () => {
  const measures = [
    ...OVERLOADS.map(([name, { measure = oneUnit, parameters }]) => [name, measure, parameters.length] as const),
    ...FUNCTIONS.map(
      ({ name, measure = oneUnit, overloads }) => [`${name} with dyn arguments`, measure, overloads[0]!.parameters.length] as const,
    ),
  ];
  it.each(measures)('give the cost of %s', (_, measure, count) => {
    const differences = VERSIONS.flatMap((costs) => [...argumentsOf(count)].flatMap((args) => measureDifferences(measure, args, costs)));
    expect(differences).toEqual([]);
  });
});

/** Returns the run-time costs for which the displayed formula and the measure differ. Empty if all costs are equal. */
function measureDifferences(measure: Measure, args: readonly CelValue[], costs: CostVersion): object[] {
  const clauses = measure.formula(costs);
  // A formula with an integer applies only to integers.
  if (clauses.some(({ formula }) => formula.includes('value(y)')) && typeof args[1] !== 'number') return [];
  const results = clauses.some(({ formula }) => formula.includes('result')) ? [...VALUES, NO_SUCH_OVERLOAD] : VALUES.slice(0, 1);
  return results.flatMap((result) => {
    const formula = formulaFor(clauses, (when) => holdsOfArguments(when, args, result));
    const names: FormulaNames = {
      size: (name) => BigInt(standardCostSizeOf(name === 'result' ? result : args[indexOf(name)]!, costs.optionalsAreUnwrapped)),
      value: (name) => BigInt(args[indexOf(name)] as number),
      traversal: (name) => BigInt(traversal(args[indexOf(name)]!)),
      pattern: (name) => BigInt((args[indexOf(name)] as unknown as { readonly patternSize: number }).patternSize),
    };
    const text = Number(evaluateFormula(formula, names));
    const charged = measure(args, result, costs);
    return text === charged ? [] : [{ formula, said: text, charged, args }];
  });
}

/** Returns the cost of traversing a value, as docs/reference/functions.md defines it. */
function traversal(value: CelValue): number {
  if (typeof value === 'string') return Math.floor(0.1 * utf8Length(value));
  if (value instanceof Uint8Array) return Math.floor(0.1 * value.length);
  if (isList(value)) return Array.from({ length: value.size }, (_, i) => traversal(value.at(i))).reduce((a, b) => a + b, 0);
  if (!isMap(value)) return 1;
  return [...value.keys()].map((key) => traversal(key) + traversal(value.get(key)!)).reduce((a, b) => a + b, 0);
}

function holdsOfArguments(when: string, args: readonly CelValue[], result: CelValue): boolean {
  const [x, y] = args;
  switch (when) {
    case 'the result is an error':
      return result instanceof CelError;
    case 'y is no integer':
      return typeof y !== 'number';
    case 'x is a value of a library type':
      return x instanceof LibraryValue;
    case 'x is no format':
      return !(x instanceof LibraryValue && 'patternSize' in x);
    case 'y is negative':
      return typeof y === 'number' && y < 0;
    case 'the first element of x is a string or bytes':
      return startsWithText(x);
    case 'the first element of y is a string or bytes':
      return startsWithText(y);
    default:
      throw new Error(`no such case of arguments: ${when}`);
  }
}

function startsWithText(value: CelValue | undefined): boolean {
  if (value === undefined || !isList(value) || value.size === 0) return false;
  const first = value.at(0);
  return typeof first === 'string' || first instanceof Uint8Array;
}

const made = (name: string, ...args: CelValue[]): CelValue =>
  (FUNCTIONS.find((declared) => declared.name === name)!.overloads.at(-1)!.call as PlainCall)(...args);
const VALUES: readonly CelValue[] = [
  '',
  'a',
  '😀é'.repeat(6),
  'k'.repeat(123),
  new Uint8Array(11),
  3,
  -2,
  true,
  new ArrayList([]),
  new ArrayList([1, 2, 3]),
  new ArrayList(['long enough to cost a unit', 'b']),
  new EntryMap(),
  made('ip', '10.0.0.1'),
  made('cidr', '10.0.0.0/9'),
  made('url', 'https://example.com/'),
  made('format.uuid'),
];

function* argumentsOf(count: number): Generator<CelValue[]> {
  for (const [i, first] of VALUES.entries()) {
    for (const second of count > 1 ? VALUES : ['']) yield [first, second, VALUES[(i * 5) % VALUES.length]!].slice(0, Math.max(1, count));
  }
}

describe('the notation of formulas', () => {
  it('has the meaning that docs/reference/functions.md explains', () => {
    const names: FormulaNames = { size: (name) => (name === 'x' ? 7n : 20n), literal: (_, otherwise) => otherwise };
    const value = (formula: string): bigint | number => evaluateFormula(formula, names);
    expect(value('⌈0.1 × (1 + size(x))⌉ × ⌈0.25 × size(y)⌉')).toBe(5n);
    expect(value('11 + ⌊2.1 × size(x) × size(x)⌋')).toBe(113n);
    expect(value('size(x) − size(y)')).toBe(0n);
    expect(value('(size(x) − size(y)) mod 2^64')).toBe(MAX_UNITS - 12n);
    expect(value('literal(y, ∞) × size(x)')).toBe(MAX_UNITS);
    expect(() => value('size(x) ^ 2')).toThrow('size(x) ^ 2');
  });

  it('gives different formulas for the earliest and the latest version of four functions only', () => {
    const reported = OVERLOADS.filter(([, { measure = oneUnit, estimate = nominal }]) =>
      [measure.formula, estimate.formulas.cost].some(
        (words) => JSON.stringify(words(costVersion(MINORS[0]))) !== JSON.stringify(words(costVersion(LATEST_MINOR))),
      ),
    ).map(([, { id }]) => id);
    expect(reported).toEqual(['equals', 'ends_with_string', 'starts_with_string', 'matches']);
  });
});
