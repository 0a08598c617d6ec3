import { isBinding } from '../../language/syntax/macro-folds.ts';
import { js } from '../../library/code/javascript.ts';
import { shapeOfType } from '../../library/code/shape.ts';
import { UNSTATED_CALL } from '../../library/step-prices.ts';
import { boxed, unboxed } from './boxing.ts';
import { emitOperands } from './calls.ts';
import { foldKind, openLoop } from './loop.ts';
import { emitElementLoop } from './list-folds.ts';
import type { CallExpr, ComprehensionExpr, Expr } from '../../language/syntax/ast.ts';
import type { Overload } from '../../library/define.ts';
import type { Operand } from '../../library/code/shape.ts';
import type { CelType } from '../../values/types/type.ts';
import type { Generator } from './generator.ts';
import type { ListFold } from './list-folds.ts';

/** A comprehension whose list need not be built, because the call that uses the list can process the elements one by one. */
interface ReducedList {
  readonly node: ComprehensionExpr;
  readonly fold: ListFold;
  /** Declared type of the list's elements. */
  readonly element: CelType;
}

/**
 * Emits `list.map(…).sum()` and similar calls without building a list. The only operand must be a list from a macro, and the function must
 * be able to process its elements one by one. For any other call, nothing is emitted and undefined is returned.
 */
export function emitReduction(g: Generator, node: CallExpr): Operand | undefined {
  const overloads = g.checked.references.get(node.id)?.overloads ?? [];
  const operands = node.target === undefined ? node.args : [node.target, ...node.args];
  const [overload] = overloads;
  if (overload?.reduce === undefined || overloads.length > 1 || operands.length > 1) return undefined;
  const list = reducedList(overload, operands[0]!);
  if (list === undefined) return undefined;
  // Code after the loop uses these variables. Their declarations precede the loop, because the loop may be in its own block.
  const count = g.declare('count', js`0`);
  const { take, result } = overload.reduce(g, count);
  const emitLoop = (): Operand => {
    emitElementLoop(g, openLoop(g, list.node), list.fold, (element) => {
      take(asDeclared(g, element, list.element));
      g.writer.line(js`${count}++;`);
    });
    return { code: count, shape: { kind: 'counted' } };
  };
  const { measure } = overload;
  const counted = emitOperands(g, operands, measure, emitLoop);
  const units = measure === undefined ? UNSTATED_CALL : measure.emit?.(g, counted);
  if (units === undefined) return g.giveUp('a reduction whose price needs the list');
  g.pay(units);
  return result();
}

function reducedList({ parameters }: Overload, operand: Expr): ReducedList | undefined {
  const [type] = parameters;
  if (operand.kind !== 'comprehension' || isBinding(operand) || type?.kind !== 'list') return undefined;
  const fold = foldKind(operand);
  return fold?.kind === 'list' ? { node: operand, fold, element: type.element } : undefined;
}

/** Converts an element to the representation of its declared type. */
function asDeclared(g: Generator, operand: Operand, type: CelType): Operand {
  const { kind } = shapeOfType(type);
  return kind === 'value' || kind === operand.shape.kind ? operand : unboxed(g, boxed(g, operand), type);
}
