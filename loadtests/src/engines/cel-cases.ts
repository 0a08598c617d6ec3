import { compileExpression, declareType, EMPTY_SCHEMA, environmentFor, wrapValue } from '#cel';
import type { ValueSchema } from '#cel';
import { readJson } from '#go';
import type { JsonValue } from '#go';
import { LATEST_MINOR } from '#kube';
import { nodeEngine } from '#runner/linker';
import { UNLIMITED } from '../workloads/judging.ts';

/** Rule over a list, as a case of an engine comparison. */
export interface CelCase {
  readonly name: string;
  readonly data: 'ints' | 'strs' | 'objs';
  readonly rule: string;
  /** True if the rule is attached to the items and evaluated once for each element. */
  readonly perItem?: boolean;
  /** True if the rule takes n² steps, so that smaller lists are used. */
  readonly nested?: boolean;
}

/** Figures of the Go validator for one case (rule) and one list length. */
export interface SizeFigures {
  readonly size: number;
  /** Times per element in ns, each the smaller of wall-clock and CPU time; empty if the size was skipped. */
  readonly ns: readonly number[];
  readonly cost?: number | undefined;
}

/** The cases of a comparison of engines: name, data and rule are the same for every engine. */
export const CEL_CASES: readonly CelCase[] = [
  { name: 'ints-all', data: 'ints', rule: 'self.list.all(e, e >= 0)' },
  { name: 'ints-exists', data: 'ints', rule: '!self.list.exists(e, e < 0)' },
  { name: 'strs-all', data: 'strs', rule: "self.list.all(s, s.startsWith('a'))" },
  { name: 'objs-all', data: 'objs', rule: 'self.list.all(o, o.a < o.b)' },
  { name: 'strs-matches', data: 'strs', rule: "self.list.all(s, s.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'))" },
  { name: 'map-sum', data: 'ints', rule: 'self.list.map(e, e * 2).sum() >= 0' },
  { name: 'is-sorted', data: 'ints', rule: 'self.list.isSorted()' },
  { name: 'items-rule', data: 'ints', rule: 'self >= 0', perItem: true },
  { name: 'nested-unique', data: 'ints', rule: 'self.list.all(a, self.list.exists_one(b, a == b))', nested: true },
];

/**
 * Engines that evaluate a case. `compiled` generates code for the rule, and `interpreted` interprets the rule. `measured` interprets the
 * rule and counts its steps.
 */
export type EngineName = 'compiled' | 'interpreted' | 'measured';

/** Returns the list on which a case is evaluated. */
const caseList = (data: CelCase['data'], size: number): unknown[] =>
  Array.from({ length: size }, (_, i) =>
    data === 'ints' ? i : data === 'strs' ? `a${String(i).padStart(7, '0')}` : { a: i, b: i + 1, name: `n${i}` },
  );

const scalar = (type: string): ValueSchema => ({ ...EMPTY_SCHEMA, type });
const objectOf = (properties: Record<string, ValueSchema>): ValueSchema => ({
  ...EMPTY_SCHEMA,
  type: 'object',
  properties: new Map(Object.entries(properties)),
});
const ITEMS: Readonly<Record<CelCase['data'], ValueSchema>> = {
  ints: scalar('integer'),
  strs: scalar('string'),
  objs: objectOf({ a: scalar('integer'), b: scalar('integer'), name: scalar('string') }),
};

/**
 * Prepares the evaluation of a case with a list of `size` elements. The engine evaluates the rule in the same way as the rules of an
 * object. The returned function evaluates the rule and returns its cost, and its steps if the engine counts them. It throws if the rule is
 * false.
 *
 * @param prepare changes the parsed value before it is evaluated
 */
export function caseEvaluation(
  { rule, data, perItem = false }: Pick<CelCase, 'rule' | 'data' | 'perItem'>,
  size: number,
  engine: EngineName,
  prepare = (value: JsonValue): JsonValue => value,
): () => { readonly cost: number; readonly steps: number | undefined } {
  const list = caseList(data, size);
  const schema = perItem ? ITEMS[data] : objectOf({ list: { ...EMPTY_SCHEMA, type: 'array', items: ITEMS[data] } });
  const self = declareType(schema, 'value', LATEST_MINOR);
  if (self === undefined) throw new Error('the schema has no type');
  const environment = environmentFor(LATEST_MINOR, 'stored');
  const compiled = compileExpression(rule, { self, oldSelf: 'plain', environment, expect: 'bool', engine: nodeEngine(engine) });
  if (!compiled.ok) throw new Error(compiled.error);
  const values = (perItem ? list : [{ list }]).map((value) => wrapValue(prepare(jsonOf(value)), schema));
  return () => {
    let [cost, steps] = [0, undefined as number | undefined];
    for (const value of values) {
      const evaluated = compiled.program.evaluate({ self: value }, { costLimit: UNLIMITED, token: undefined });
      if (evaluated.value !== true) throw new Error(`${rule} is not true`);
      cost += evaluated.cost;
      for (const count of evaluated.readings?.evaluations.values() ?? []) steps = (steps ?? 0) + count;
    }
    return { cost, steps };
  };
}

/** Converts plain data into the representation that the JSON reader produces. */
export function jsonOf(plain: unknown): JsonValue {
  const reading = readJson(JSON.stringify(plain));
  if (!reading.ok) throw new Error(reading.error);
  return reading.value;
}
