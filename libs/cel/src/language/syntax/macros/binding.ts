import { LEGACY_ACCUMULATOR } from '../operators.ts';
import type { ComprehensionExpr } from '../ast.ts';

/**
 * Returns true if a comprehension only binds a value to a name: its range is an empty list and its loop condition is `false`.
 * Comprehensions whose accumulator is `__result__` do not count.
 */
export function isBinding(node: ComprehensionExpr): boolean {
  const { iterRange, loopCondition } = node;
  if (iterRange.kind !== 'list' || iterRange.elements.length > 0 || node.accuVar === LEGACY_ACCUMULATOR) return false;
  return loopCondition.kind === 'constant' && loopCondition.constant.type === 'bool' && !loopCondition.constant.value;
}
