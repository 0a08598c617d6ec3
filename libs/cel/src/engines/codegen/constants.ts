import { js } from '../../library/code/javascript.ts';
import type { Fragment, Names } from '../../library/code/javascript.ts';

/** The values that generated code refers to by name. Equal primitives share a name. */
export class Constants {
  readonly values: unknown[] = [];
  private readonly names: Names;
  private readonly known = new Map<unknown, Fragment>();

  constructor(names: Names) {
    this.names = names;
  }

  /** The name of a value. */
  name(value: unknown): Fragment {
    let name = this.known.get(value);
    if (name === undefined) {
      name = this.names.fresh('k');
      this.known.set(value, name);
      this.values.push(value);
    }
    return name;
  }

  /** Declares every name, in front of the function that uses them. */
  declarations(): readonly Fragment[] {
    return [...this.known.values()].map((name, index) => js`const ${name} = K[${index}];`);
  }
}
