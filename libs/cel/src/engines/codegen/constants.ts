import { js } from '../../library/code/javascript.ts';
import type { Fragment, Names } from '../../library/code/javascript.ts';

/** Values to which generated code refers by name. Equal primitive values have the same name. */
export class Constants {
  readonly values: unknown[] = [];
  readonly #names: Names;
  readonly #known = new Map<unknown, Fragment>();

  constructor(names: Names) {
    this.#names = names;
  }

  /** Returns the name of a value. A new value is added to the constants. */
  name(value: unknown): Fragment {
    let name = this.#known.get(value);
    if (name === undefined) {
      name = this.#names.fresh('k');
      this.#known.set(value, name);
      this.values.push(value);
    }
    return name;
  }

  /** Returns declarations of the names of all constants. The declarations precede the function that uses the names. */
  declarations(): readonly Fragment[] {
    return [...this.#known.values()].map((name, index) => js`const ${name} = K[${index}];`);
  }
}
