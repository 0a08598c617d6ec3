import type { Constant } from '../../values/value.ts';
import type { ParsedExpression } from '../syntax/ast.ts';
import type { CelType } from '../../values/types/type.ts';
import type { Overload } from '../../library/define.ts';

/** Meaning of a checked identifier, enum constant or call. Source: cel-go checker reference map. */
export interface Reference {
  /** Qualified name of the variable or type. Empty if the node is a call. */
  readonly name: string;
  /** Possible overloads of the call, in declaration order. More than one overload is possible if the types of arguments are dyn. */
  readonly overloads: readonly Overload[];
  readonly constant?: Constant;
}

/** A parsed expression with the types and references that the checker determined. */
export interface CheckedExpression extends ParsedExpression {
  /** Static type of each node, by node id. Every node has a type, except the field name of an optional selection. */
  readonly types: ReadonlyMap<number, CelType>;
  readonly references: ReadonlyMap<number, Reference>;
  readonly outputType: CelType;
}
