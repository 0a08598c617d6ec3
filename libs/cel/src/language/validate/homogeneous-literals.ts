import { isEquivalentType } from '../../values/types/equality.ts';
import type { TypeNaming } from '../../values/types/format.ts';
import { typeMismatch } from '../check/errors.ts';
import type { CheckedExpression } from '../check/checked.ts';
import type { ListExpr, MapExpr } from '../syntax/ast.ts';
import type { Issues } from '../syntax/issues.ts';
import type { CelType } from '../../values/types/type.ts';
import type { Visited } from './walk.ts';

/**
 * All entries of a literal must have one type, except in the arguments of functions that take any.
 * Source: cel-go cel/validator.go `homogeneousAggregateLiteralValidator` (v0.29.2).
 */
export function validateHomogeneousLiterals(
  checked: CheckedExpression,
  nodes: readonly Visited[],
  isExempt: (functionName: string) => boolean,
  naming: TypeNaming,
  issues: Issues,
): void {
  for (const visited of nodes) {
    if (visited.node.kind === 'list' && !isInside(visited, isExempt)) validateList(checked, visited.node, naming, issues);
  }
  for (const visited of nodes) {
    if (visited.node.kind === 'map' && !isInside(visited, isExempt)) validateMap(checked, visited.node, naming, issues);
  }
}

function isInside({ above }: Visited, isExempt: (functionName: string) => boolean): boolean {
  if (above === undefined) return false;
  return (above.node.kind === 'call' && isExempt(above.node.function)) || isInside(above, isExempt);
}

function validateList(checked: CheckedExpression, node: ListExpr, naming: TypeNaming, issues: Issues): void {
  let expected: CelType | undefined;
  for (const [i, element] of node.elements.entries()) {
    const type = entryType(checked, element.id, node.optionalIndices.includes(i));
    expected ??= type;
    if (isEquivalentType(expected, type)) continue;
    issues.report(checked.offsets.get(element.id), typeMismatch(expected, type, naming));
    return;
  }
}

function validateMap(checked: CheckedExpression, node: MapExpr, naming: TypeNaming, issues: Issues): void {
  let expected: { key: CelType; value: CelType } | undefined;
  for (const entry of node.entries) {
    const found = { key: entryType(checked, entry.key.id, false), value: entryType(checked, entry.value.id, entry.optional) };
    expected ??= found;
    for (const part of ['key', 'value'] as const) {
      if (isEquivalentType(expected[part], found[part])) continue;
      issues.report(checked.offsets.get(entry[part].id), typeMismatch(expected[part], found[part], naming));
    }
  }
}

function entryType(checked: CheckedExpression, id: number, optional: boolean): CelType {
  const type = checked.types.get(id)!;
  return optional && type.kind === 'optional' ? type.value : type;
}
