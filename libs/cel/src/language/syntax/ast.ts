import type { Constant } from '../../values/value.ts';

/**
 * The expression tree after macro expansion. Node ids are the same numbers as in cel-go, because run-time costs, error texts (`no such
 * overload: f 17`) and the cost tracker's stack depend on them. Source: cel-go common/ast (v0.29.2).
 */
export type Expr = ConstantExpr | IdentExpr | SelectExpr | CallExpr | ListExpr | MapExpr | StructExpr | ComprehensionExpr;

/** A literal, or a named constant. */
export interface ConstantExpr {
  readonly kind: 'constant';
  readonly id: number;
  readonly constant: Constant;
  /** Name of the constant. Undefined for a literal. It is needed because cost estimates include a cost for names. */
  readonly name?: string;
}
/** An identifier. */
export interface IdentExpr {
  readonly kind: 'ident';
  readonly id: number;
  readonly name: string;
}
/** A selection `operand.field`, or `has(operand.field)` if `testOnly` is true. An optional selection `a.?b` is a call of `_?._` instead. */
export interface SelectExpr {
  readonly kind: 'select';
  readonly id: number;
  readonly operand: Expr;
  readonly field: string;
  readonly testOnly: boolean;
}
/**
 * A call of a function or operator. `function` is the name in cel-go (`_+_`, `_?_:_`, `_[_]`, `@in`, `size` …). `target` is the receiver of
 * a method call.
 */
export interface CallExpr {
  readonly kind: 'call';
  readonly id: number;
  readonly function: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}
/** A list literal, such as `[a, ?b]`. */
export interface ListExpr {
  readonly kind: 'list';
  readonly id: number;
  readonly elements: readonly Expr[];
  /** Indexes of the optional elements, which are written `?e`. */
  readonly optionalIndices: readonly number[];
}
/** An entry `key: value` of a map literal, or `?key: value` if `optional` is true. */
export interface MapEntry {
  readonly id: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}
/** A map literal `{key: value}`. */
export interface MapExpr {
  readonly kind: 'map';
  readonly id: number;
  readonly entries: readonly MapEntry[];
}
/** A field `field: value` of an object literal, or `?field: value` if `optional` is true. */
export interface StructField {
  readonly id: number;
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}
/** An object literal `Name{field: value}`. */
export interface StructExpr {
  readonly kind: 'struct';
  readonly id: number;
  readonly typeName: string;
  readonly fields: readonly StructField[];
}
/**
 * A comprehension, which is the expansion of a macro. `iterVar2` is undefined if the comprehension has only one iteration variable. Names
 * such as `@result` are the same as in cel-go.
 */
export interface ComprehensionExpr {
  readonly kind: 'comprehension';
  readonly id: number;
  readonly iterRange: Expr;
  readonly iterVar: string;
  readonly iterVar2: string | undefined;
  readonly accuVar: string;
  readonly accuInit: Expr;
  readonly loopCondition: Expr;
  readonly loopStep: Expr;
  readonly result: Expr;
}

/** An expression that was parsed without errors. */
export interface ParsedExpression {
  readonly source: string;
  readonly root: Expr;
  /** Offset in `source` of each node, in code points, by node id. */
  readonly offsets: ReadonlyMap<number, number>;
  /** The original call of each expanded macro, by the id of the comprehension or other node that replaced it. */
  readonly macroCalls: ReadonlyMap<number, Expr>;
}

/** Returns the nodes directly below a node, in upstream's order. Source: cel-go common/ast/navigable.go (v0.29.2). */
export function childrenOf(node: Expr): readonly Expr[] {
  switch (node.kind) {
    case 'constant':
    case 'ident':
      return [];
    case 'select':
      return [node.operand];
    case 'call':
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case 'list':
      return node.elements;
    case 'map':
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return node.fields.map(({ value }) => value);
    case 'comprehension':
      return [node.iterRange, node.accuInit, node.loopCondition, node.loopStep, node.result];
  }
}

/** Node of an expression tree, with its parent. `above` contains the parent, and is undefined for the root. */
export interface Visited {
  readonly node: Expr;
  readonly above: Visited | undefined;
}

/** Returns all nodes of a tree, with children before their parents. */
export function nodesBottomUp(root: Expr): readonly Visited[] {
  const visited: Visited[] = [];
  const visit = (node: Expr, above: Visited | undefined): void => {
    const here = { node, above };
    for (const child of childrenOf(node)) visit(child, here);
    visited.push(here);
  };
  visit(root, undefined);
  return visited;
}
