import { EXPANSION, OPERATOR } from '../../library/names.ts';
import type { CallExpr, ComprehensionExpr, Expr } from '../../language/syntax/ast.ts';

/** The macro from which a comprehension was expanded, with the arguments of the macro call. */
export type FoldKind =
  | { readonly kind: 'all' | 'exists' | 'existsOne'; readonly predicate: Expr }
  /** Macro `map`, `filter` or `transformList`, with the element to append for each entry that passes the filter. */
  | { readonly kind: 'list'; readonly element: Expr; readonly filter: Expr | undefined }
  /** Macro `transformMap` or `transformMapEntry`, with the call that inserts into the result map for each entry that passes the filter. */
  | { readonly kind: 'map'; readonly insert: CallExpr; readonly filter: Expr | undefined };

/**
 * Returns the macro of `syntax/macros` from which a comprehension was expanded. Returns undefined if the comprehension has another form.
 */
export function foldKind(node: ComprehensionExpr): FoldKind | undefined {
  const { accuInit, loopStep } = node;
  if (loopStep.kind !== 'call') return undefined;
  const unfiltered = loopStep.function === OPERATOR.conditional ? loopStep.args[1]! : loopStep;
  if (accuInit.kind === 'list') return listKind(unfiltered, filterOf(loopStep));
  if (accuInit.kind === 'map') return mapKind(unfiltered, filterOf(loopStep));
  if (accuInit.kind !== 'constant') return undefined;
  switch (loopStep.function) {
    case OPERATOR.and:
      return { kind: 'all', predicate: loopStep.args[1]! };
    case OPERATOR.or:
      return { kind: 'exists', predicate: loopStep.args[1]! };
    case OPERATOR.conditional:
      return { kind: 'existsOne', predicate: loopStep.args[0]! };
    default:
      return undefined;
  }
}

function filterOf(step: Expr): Expr | undefined {
  return step.kind === 'call' && step.function === OPERATOR.conditional ? step.args[0] : undefined;
}

function listKind(append: Expr, filter: Expr | undefined): FoldKind | undefined {
  if (append.kind !== 'call' || append.function !== OPERATOR.add) return undefined;
  const added = append.args[1];
  return added?.kind === 'list' && added.elements.length === 1 ? { kind: 'list', element: added.elements[0]!, filter } : undefined;
}

function mapKind(insert: Expr, filter: Expr | undefined): FoldKind | undefined {
  return insert.kind === 'call' && insert.function === EXPANSION.mapInsert ? { kind: 'map', insert, filter } : undefined;
}
