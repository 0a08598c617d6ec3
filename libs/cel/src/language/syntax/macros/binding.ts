import { LEGACY_ACCUMULATOR } from '../operators.ts';
import type { ComprehensionExpr } from '../ast.ts';

/** Returns true if a comprehension has an empty range and is used only to bind a value to a name. */
export function isBinding(node: ComprehensionExpr): boolean {
  const { iterRange, loopCondition } = node;
  if (iterRange.kind !== 'list' || iterRange.elements.length > 0 || node.accuVar === LEGACY_ACCUMULATOR) return false;
  return loopCondition.kind === 'constant' && loopCondition.constant.type === 'bool' && !loopCondition.constant.value;
}
