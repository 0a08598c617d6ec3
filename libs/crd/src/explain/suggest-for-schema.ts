import { SCHEMA_COST_LIMIT } from '#kube';
import { addCost } from '../definition/admission/rule-context.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import { distinctBounds, withBounds } from './bounds.ts';
import type { SchemaBound, BoundChange, OverLimit, Suggestion } from './bounds.ts';
import { suggestBounds } from './suggest-bounds.ts';

/** Expression whose cost can be estimated again under changed bounds. */
export interface Reestimated {
  readonly bounds: readonly SchemaBound[];
  readonly cost: bigint;
  /** Returns the estimated cost under changed bounds, without compiling the expression again. */
  readonly costWith: (changes: readonly BoundChange[]) => bigint;
  /** Returns the cost after the expression is compiled again in a schema with changed bounds. This cost verifies a suggestion. */
  readonly recompiled: (schema: SchemaProps) => bigint;
}

/** Schema whose bounds may change, with a function that returns true if a change keeps its defaults valid. */
export interface ChangedSchema {
  readonly schema: SchemaProps;
  readonly keepsDefaults: (changes: readonly BoundChange[]) => boolean;
}

/**
 * Suggests bounds that bring the total cost of all expressions under the limit of a schema. Only expressions that depend on a changed bound
 * are estimated again; the costs of all other expressions are reused.
 */
export function suggestForSchema(expressions: readonly Reestimated[], { schema, keepsDefaults }: ChangedSchema): Suggestion[] {
  const about = new Map<string, Set<number>>();
  for (const [number, { bounds }] of expressions.entries())
    for (const { fields } of bounds) about.set(fields, (about.get(fields) ?? new Set()).add(number));
  const known = new Map<string, bigint>();
  const costWith = (number: number, changes: readonly BoundChange[]): bigint => {
    const own = changes.filter(({ bound }) => about.get(bound.fields)?.has(number));
    const key = `${number} ${own.map(({ bound, value }) => `${bound.fields}=${value}`).join(' ')}`;
    const found = known.get(key) ?? (expressions[number] as Reestimated).costWith(own);
    known.set(key, found);
    return found;
  };
  const exactSum = expressions.reduce((sum, one) => sum + one.cost, 0n);
  const sumWith = (changes: readonly BoundChange[], costOf: (number: number) => bigint): bigint => {
    const changed = new Set(changes.flatMap(({ bound }) => [...(about.get(bound.fields) ?? [])]));
    return [...changed].reduce((sum, number) => sum - (expressions[number] as Reestimated).cost + costOf(number), exactSum);
  };
  const estimate: OverLimit['estimate'] = (changes) =>
    addCost(
      0n,
      sumWith(changes, (number) => costWith(number, changes)),
    );
  const recompiled = (changes: readonly BoundChange[]): bigint => {
    const changed = withBounds(schema, changes);
    return sumWith(changes, (number) => (expressions[number] as Reestimated).recompiled(changed));
  };
  const dearestFirst = expressions.toSorted((a, b) => (a.cost > b.cost ? -1 : a.cost < b.cost ? 1 : 0));
  const bounds = distinctBounds(dearestFirst.flatMap((expression) => expression.bounds));
  return suggestBounds({
    limit: SCHEMA_COST_LIMIT,
    bounds,
    estimate,
    isValid: (changes) => recompiled(changes) <= SCHEMA_COST_LIMIT && keepsDefaults(changes),
  });
}
