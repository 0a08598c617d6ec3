import type { FunctionDeclaration, Overload } from '../../library/define.ts';
import type { MessageType } from '../../values/messages/message-value.ts';
import type { CelType, TypeNaming } from '../../values/types/type.ts';
import type { SymbolCatalog } from './symbol-catalog.ts';

/** A function with the overloads that an environment offers, in declaration order. */
export interface DeclaredFunction {
  readonly name: string;
  readonly literalArgument: FunctionDeclaration['literalArgument'];
  /** Test of the argument types before an implementation runs. */
  readonly guard: FunctionDeclaration['guard'];
  /** Cost of a call whose overload is known only at run time. The cost is 1 if `measure` is absent. */
  readonly measure: FunctionDeclaration['measure'];
  readonly overloads: readonly DeclaredOverload[];
}

/** An overload of a function, with the names of its type parameters. */
export interface DeclaredOverload {
  readonly overload: Overload;
  /** Names of the type parameters in the overload's signature. */
  readonly parameterNames: readonly string[];
}

/** Declarations of everything to which names in an expression can refer, and settings of the checker. */
export interface Declarations {
  /**
   * Returns the type of a variable, or `type(T)` for the name of a type `T`. Returns undefined if the name is unknown. `name` must not have
   * a leading dot.
   */
  variable(name: string): CelType | undefined;
  /**
   * Returns the type of literals `Name{…}` for the given name. Returns undefined if the name is unknown. `name` must not have a leading
   * dot.
   */
  message(name: string): Pick<MessageType, 'type' | 'valueType'> | undefined;
  /** Returns a function by its name, with or without a leading dot. Undefined if the name is unknown. */
  function(name: string): DeclaredFunction | undefined;
  /**
   * True if a field whose name is a reserved word may be written without an escape, for example `self.namespace` instead of
   * `self.__namespace__`.
   */
  readonly keywordFields: boolean;
  /** True if the types `type(T)` and `type(U)` are unified by `T` and `U`. If false, they always fit. */
  readonly typesUnify: boolean;
  /** Spelling of type names in error messages. */
  readonly naming: TypeNaming;
  /** True if a literal format string is checked against the types of its arguments. */
  readonly checksFormats: boolean;
  /** Returns all declared names, for suggestions in errors. Undefined if errors suggest no names (before 1.38). */
  readonly catalog: (() => SymbolCatalog) | undefined;
}

/**
 * Variables that nested comprehensions bind. An inner variable hides an outer variable with the same name. Source: cel-go checker/scopes.go
 * (v0.29.2).
 */
export class VariableScope {
  readonly parent: VariableScope | undefined;
  readonly #variables: ReadonlyMap<string, CelType>;

  constructor(parent: VariableScope | undefined, variables: ReadonlyMap<string, CelType>) {
    this.parent = parent;
    this.#variables = variables;
  }

  find(name: string): CelType | undefined {
    return this.#variables.get(name) ?? this.parent?.find(name);
  }
}
