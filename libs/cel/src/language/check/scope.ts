import type { CelType } from '../../values/types/type.ts';

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
