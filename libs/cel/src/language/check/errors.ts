import { formatArguments, formatType, plainTypeText } from '../../values/types/format.ts';
import type { TypeNaming } from '../../values/types/format.ts';
import { protobufText } from '../syntax/protobuf-text.ts';
import type { Expr } from '../syntax/ast.ts';
import type { CelType } from '../../values/types/type.ts';

/** The checker's errors, one function per error. Source: cel-go checker/errors.go (v0.29.2). */

export const undeclaredReference = (name: string): string => `undeclared reference to '${name}' (in container '')`;

/** No overload takes these arguments; `method`: the first one is the receiver. */
export const noMatchingOverload = (name: string, args: readonly CelType[], method: boolean, naming: TypeNaming): string =>
  `found no matching overload for '${name}' applied to '${formatArguments(args, method, naming)}'`;

/** Reports a part of the expression that has another type than its surroundings want. */
export const typeMismatch = (expected: CelType, actual: CelType, naming: TypeNaming): string =>
  `expected type '${formatType(expected, naming)}' but found '${formatType(actual, naming)}'`;

/** Reports a field that the object's type does not have. */
export const undefinedField = (field: string): string => `undefined field '${field}'`;

/** Reports `.field` on a type without fields. */
export const noFieldSelection = (type: CelType, naming: TypeNaming): string =>
  `type '${formatType(type, naming)}' does not support field selection`;

/** Returns a comprehension over something that is no list, map or dyn. */
export const notARange = (type: CelType, naming: TypeNaming): string =>
  `expression of type '${formatType(type, naming)}' cannot be range of a comprehension (must be list, map, or dynamic)`;

/** Returns the error for a name without a type. */
export const unresolvedType = (name: string): string => `unexpected failed resolution of '${name}'`;

/** Reports `Name{…}` with a name that is no object type. */
export const notAMessageType = (name: string): string => `'${name}' is not a message type`;

/** Returns a field of a message literal is given a value of another type. */
export const fieldTypeMismatch = (field: string, expected: CelType | undefined, actual: CelType, naming: TypeNaming): string =>
  `expected type of field '${field}' is '${expected === undefined ? '' : formatType(expected, naming)}' but provided type is '${formatType(actual, naming)}'`;

/** Reports a node. The message shows it as 1.30 does; 1.31 prints its address in memory there. Source: cel-go checker/errors.go (v0.17.8, v0.20.1). */
export const incompatibleType = (node: Expr, known: CelType, type: CelType, naming: TypeNaming): string =>
  `incompatible type already exists for expression: ${protobufText(node)}(${node.id}) old:${plainTypeText(known, naming)}, new:${plainTypeText(type, naming)}`;
