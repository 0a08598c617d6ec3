import type { SizeRange } from '../library/range.ts';
import type { ValuePath } from './value-path.ts';

/** Sizes of the entries of a list or map: keys or indices, and values. */
export interface EntrySizes {
  readonly container: 'list' | 'map';
  readonly key: SizeRange;
  readonly value: SizeRange;
}

/** A variable of a comprehension, with its known sizes. */
export interface LocalVariable {
  readonly path: ValuePath;
  readonly size: SizeRange | undefined;
  readonly entries: EntrySizes | undefined;
}

/** The variables that the comprehensions around a node bind. */
export class Scope {
  readonly #variables = new Map<string, LocalVariable[]>();

  /** Binds a variable, which shadows others of its name. */
  bind(name: string, variable: LocalVariable): void {
    const shadowed = this.#variables.get(name);
    if (shadowed === undefined) this.#variables.set(name, [variable]);
    else shadowed.push(variable);
  }

  /** Ends the binding of a variable. */
  unbind(name: string): void {
    this.#variables.get(name)!.pop();
  }

  /** Returns the variable of a name; undefined if no comprehension binds it. */
  variable(name: string): LocalVariable | undefined {
    return this.#variables.get(name)?.at(-1);
  }
}
