import type { Constant } from '../../values/constant-value.ts';

/**
 * The expression tree after macro expansion. Node ids are cel-go's own numbers: run-time costs, error texts (`no such overload: f 17`) and
 * the cost tracker's stack depend on them. Source: cel-go common/ast (v0.29.2).
 */
export type Expr = ConstantExpr | IdentExpr | SelectExpr | CallExpr | ListExpr | MapExpr | StructExpr | ComprehensionExpr;

/** A literal. */
export interface ConstantExpr {
  readonly kind: 'constant';
  readonly id: number;
  readonly constant: Constant;
  /** Name of the constant if it is no literal, because estimates price names. */
  readonly name?: string;
}
/** A name. */
export interface IdentExpr {
  readonly kind: 'ident';
  readonly id: number;
  readonly name: string;
}
/** `operand.field`, or `has(operand.field)` when `testOnly`. Optional selection `a.?b` is a call of `_?._`. */
export interface SelectExpr {
  readonly kind: 'select';
  readonly id: number;
  readonly operand: Expr;
  readonly field: string;
  readonly testOnly: boolean;
}
/** Function or operator call; `function` is cel-go's name (`_+_`, `_?_:_`, `_[_]`, `@in`, `size` …); `target` set for member calls. */
export interface CallExpr {
  readonly kind: 'call';
  readonly id: number;
  readonly function: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}
/** `[a, ?b]`. */
export interface ListExpr {
  readonly kind: 'list';
  readonly id: number;
  readonly elements: readonly Expr[];
  /** Indexes of `?e` elements. */
  readonly optionalIndices: readonly number[];
}
/** `key: value` of a map literal; `?key: value` when `optional`. */
export interface MapEntry {
  readonly id: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}
/** `{key: value}`. */
export interface MapExpr {
  readonly kind: 'map';
  readonly id: number;
  readonly entries: readonly MapEntry[];
}
/** `field: value` of an object literal; `?field: value` when `optional`. */
export interface StructField {
  readonly id: number;
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}
/** `Name{field: value}`. */
export interface StructExpr {
  readonly kind: 'struct';
  readonly id: number;
  readonly typeName: string;
  readonly fields: readonly StructField[];
}
/** A fold. `iterVar2` is set for two-variable comprehensions. Names as cel-go makes them (`@result`). */
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

/** The result of parsing. */
export interface ParsedExpression {
  readonly source: string;
  readonly root: Expr;
  /** Code point offset into `source` of each node, by node id. */
  readonly offsets: ReadonlyMap<number, number>;
  /** The call that a macro was, by the id of the node it became. */
  readonly macroCalls: ReadonlyMap<number, Expr>;
}
