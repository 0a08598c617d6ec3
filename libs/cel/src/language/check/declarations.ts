import type { FunctionDeclaration, Overload } from '../../library/define.ts';
import type { TypeNaming } from '../../values/types/format.ts';
import type { MessageType } from '../../values/messages/message-value.ts';
import type { CelType } from '../../values/types/type.ts';

/** A function as the checker sees it: the overloads that an environment offers, in the order of their declaration. */
export interface DeclaredFunction {
  readonly name: string;
  readonly literalArgument: FunctionDeclaration['literalArgument'];
  /** Test of arguments at run time, and the cost of a call whose overload is only known then. */
  readonly guard: FunctionDeclaration['guard'];
  readonly measure: FunctionDeclaration['measure'];
  readonly overloads: readonly DeclaredOverload[];
}

/** One overload as the checker sees it. */
export interface DeclaredOverload {
  readonly overload: Overload;
  /** Names of the type parameters in its signature. */
  readonly parameterNames: readonly string[];
}

/** Everything that names in an expression can mean. */
export interface Declarations {
  /** The type of a variable, or `type(T)` for the name of a type; the name has no leading dot. */
  variable(name: string): CelType | undefined;
  /** The type of literals `Name{…}`; the name has no leading dot. */
  message(name: string): Pick<MessageType, 'type' | 'valueType'> | undefined;
  /** A function by its name, with or without a leading dot. */
  function(name: string): DeclaredFunction | undefined;
  /**
   * True if a field whose name is a reserved word may be written without an escape: `self.namespace` for
   * `__namespace__`.
   */
  readonly keywordFields: boolean;
  /** Names of types in errors. */
  readonly naming: TypeNaming;
  /** True if literal format strings are checked against their arguments. */
  readonly checksFormats: boolean;
}
