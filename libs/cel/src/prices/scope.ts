import type { SizeRange } from '../library/range.ts';
import type { ValuePath } from './value-path.ts';

/** Sizes of the entries of a list or map. `key` is the size of the indices or keys, and `value` is the size of the elements or values. */
export interface EntrySizes {
  readonly container: 'list' | 'map';
  readonly key: SizeRange;
  readonly value: SizeRange;
}

/** Variable that a comprehension binds, with the sizes of its value that are known for a cost estimate. */
export interface LocalVariable {
  readonly path: ValuePath;
  readonly size: SizeRange | undefined;
  readonly entries: EntrySizes | undefined;
}

/** Variables that the comprehensions around the current node bind. `Variable` holds what an estimator knows about one of them. */
export class BoundVariables<Variable> {
  readonly #variables = new Map<string, Variable[]>();

  /** Binds a variable. It hides a variable with the same name that was bound earlier. */
  bind(name: string, variable: Variable): void {
    const shadowed = this.#variables.get(name);
    if (shadowed === undefined) this.#variables.set(name, [variable]);
    else shadowed.push(variable);
  }

  /** Removes the latest binding of the variable `name`. */
  unbind(name: string): void {
    this.#variables.get(name)!.pop();
  }

  /** Returns the variable with the given name, or undefined if no comprehension binds this name. */
  variable(name: string): Variable | undefined {
    return this.#variables.get(name)?.at(-1);
  }
}
