import { isEquivalentType } from '../../values/types/equality.ts';
import type { CheckedExpression } from '../check/checked.ts';
import type { ListExpr, MapExpr } from '../syntax/ast.ts';
import type { CelType } from '../../values/types/type.ts';
import type { Visited } from './walk.ts';

/**
 * Yields each entry of a list or map literal that has another type than the first entry of this literal. Such an entry is an error, except
 * in the arguments of functions for which `isExempt` is true. Source: cel-go cel/validator.go `homogeneousAggregateLiteralValidator`
 * (v0.29.2).
 */
export function* mixedLiterals(
  checked: CheckedExpression,
  nodes: readonly Visited[],
  isExempt: (functionName: string) => boolean,
): Generator<Mismatch> {
  for (const visited of nodes) if (visited.node.kind === 'list' && !isInside(visited, isExempt)) yield* mixedList(checked, visited.node);
  for (const visited of nodes) if (visited.node.kind === 'map' && !isInside(visited, isExempt)) yield* mixedMap(checked, visited.node);
}

/** An entry of a literal whose type differs from the type of the literal's first entry. */
export interface Mismatch {
  /** Node id of the entry, at which the error is reported. */
  readonly id: number;
  readonly expected: CelType;
  readonly type: CelType;
}

function isInside({ above }: Visited, isExempt: (functionName: string) => boolean): boolean {
  if (above === undefined) return false;
  return (above.node.kind === 'call' && isExempt(above.node.function)) || isInside(above, isExempt);
}

function* mixedList(checked: CheckedExpression, node: ListExpr): Generator<Mismatch> {
  let expected: CelType | undefined;
  for (const [i, { id }] of node.elements.entries()) {
    const type = entryType(checked, id, node.optionalIndices.includes(i));
    expected ??= type;
    if (!isEquivalentType(expected, type)) return yield { id, expected, type };
  }
}

function* mixedMap(checked: CheckedExpression, node: MapExpr): Generator<Mismatch> {
  let expected: { key: CelType; value: CelType } | undefined;
  for (const entry of node.entries) {
    const found = { key: entryType(checked, entry.key.id, false), value: entryType(checked, entry.value.id, entry.optional) };
    expected ??= found;
    for (const part of ['key', 'value'] as const)
      if (!isEquivalentType(expected[part], found[part])) yield { id: entry[part].id, expected: expected[part], type: found[part] };
  }
}

function entryType(checked: CheckedExpression, id: number, optional: boolean): CelType {
  const type = checked.types.get(id)!;
  return optional && type.kind === 'optional' ? type.value : type;
}
