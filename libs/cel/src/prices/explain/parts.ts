import { childrenOf } from '../../language/validate/walk.ts';
import { OPERATOR } from '../../library/names.ts';
import { Spans } from './spans.ts';
import type { TextSpan } from './spans.ts';
import type { CheckedExpression } from '../../language/check/checked.ts';
import type { Expr } from '../../language/syntax/ast.ts';

/** A part of an expression as the author wrote it, such as a call, a macro call or a path of fields. */
export interface WrittenPart {
  readonly span: TextSpan;
  /** Parts directly inside this part, in source order. */
  readonly parts: readonly WrittenPart[];
}

/**
 * Subexpressions of a CEL expression as its author sees them (calls, macro calls, paths of fields). They form a tree, and are also indexed
 * by their offset in the source text.
 */
export interface Parts {
  readonly root: WrittenPart;
  /** Parts by the position of their outermost node, as an offset in code points. */
  readonly at: ReadonlyMap<number, WrittenPart>;
}

/**
 * Divides an expression into the parts that an author would recognize. A macro call is one part without its expansion. A path of fields
 * (`self.spec.list`) and a chain of `&&` or of `||` are also one part each. Literals, which cost nothing, and the variables of a macro are
 * not parts.
 */
export function partsOf(checked: CheckedExpression): Parts {
  const cutter = new PartCutter(checked);
  return { root: cutter.part(checked.root), at: cutter.at };
}

class PartCutter {
  readonly at = new Map<number, WrittenPart>();
  readonly #checked: CheckedExpression;
  readonly #spans: Spans;
  /** Checked nodes by id. They are needed because the stored call of a macro contains operands whose names the checker has not resolved. */
  readonly #nodes = new Map<number, Expr>();

  constructor(checked: CheckedExpression) {
    this.#checked = checked;
    this.#spans = new Spans(checked);
    const collect = (node: Expr): void => {
      this.#nodes.set(node.id, node);
      childrenOf(node).forEach(collect);
    };
    collect(checked.root);
  }

  part(node: Expr): WrittenPart {
    const parts = this.#inside(node)
      .filter(({ kind }) => kind !== 'constant')
      .map((inner) => this.part(inner))
      .sort((a, b) => a.span.start - b.span.start);
    const part = { span: this.#spans.of(node), parts };
    const offset = this.#checked.offsets.get(node.id);
    if (offset !== undefined) this.at.set(offset, part);
    return part;
  }

  /** Returns the root nodes of the parts that are directly inside the part of `node`. */
  #inside(node: Expr): readonly Expr[] {
    if (node.kind === 'select' && node.testOnly) return isPath(node.operand) ? [] : [node.operand];
    const macro = this.#checked.macroCalls.get(node.id);
    if (macro?.kind === 'call') return this.#macroOperands(node, macro.target === undefined ? macro.args : [macro.target, ...macro.args]);
    if (isPath(node)) return [];
    if (node.kind !== 'call') return childrenOf(node);
    const { function: name } = node;
    if (name !== OPERATOR.and && name !== OPERATOR.or) return childrenOf(node);
    return node.args.flatMap((term) => (term.kind === 'call' && term.function === name ? this.#inside(term) : [term]));
  }

  /** Returns the operands of a macro's call without the names of its variables: `self.list` and `x > 0` for `self.list.all(x, x > 0)`. */
  #macroOperands(expansion: Expr, operands: readonly Expr[]): Expr[] {
    const bound = this.#boundBy(expansion, this.#checked.offsets.get(expansion.id));
    return operands.flatMap((operand, index) => {
      if (index > 0 && operand.kind === 'ident' && bound.delete(operand.name)) return [];
      return this.#nodes.get(operand.id) ?? [];
    });
  }

  /**
   * Returns the variables that the comprehensions of a macro expansion bind. Comprehensions of nested macros are ignored. They are
   * recognized by their different source offset.
   */
  #boundBy(node: Expr, offset: number | undefined): Set<string> {
    const names = new Set<string>();
    const visit = (inner: Expr): void => {
      if (inner.kind === 'comprehension' && this.#checked.offsets.get(inner.id) === offset)
        for (const name of [inner.iterVar, inner.iterVar2, inner.accuVar]) if (name !== undefined) names.add(name);
      childrenOf(inner).forEach(visit);
    };
    visit(node);
    return names;
  }
}

/** Returns true if a node is a variable, or a path of fields that starts with a variable: `x`, `self.spec.list`, `self.?spec.?list`. */
function isPath(node: Expr): boolean {
  if (node.kind === 'select') return isPath(node.operand);
  return node.kind === 'call' && node.function === OPERATOR.optionalSelect ? isPath(node.args[0] as Expr) : node.kind === 'ident';
}
