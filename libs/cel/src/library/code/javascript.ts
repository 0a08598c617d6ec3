/**
 * A fragment of JavaScript code. Only {@link js} and {@link Names} create fragments, and neither accepts a text as an argument. So a
 * client's text is never part of generated source. Generated code can read such a text only from the array of constants.
 */
export class Fragment {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** Source text of the fragment, for the linker. */
  get source(): string {
    return this.#text;
  }

  /**
   * Creates a fragment without any check. Only this module may call it, with text from template literals of this library or from {@link
   * Names}.
   */
  static trusted(text: string): Fragment {
    return new Fragment(text);
  }
}

/** Template tag that returns a fragment of JavaScript code. A template may contain only fragments and numbers as values. */
export function js(parts: TemplateStringsArray, ...values: readonly (Fragment | number)[]): Fragment {
  let text = parts[0]!;
  for (const [i, value] of values.entries()) text += (typeof value === 'number' ? numberText(value) : value.source) + parts[i + 1]!;
  return Fragment.trusted(text);
}

function numberText(value: number): string {
  if (value > 0 || Object.is(value, 0)) return String(value);
  return Object.is(value, -0) ? '(-0)' : `(${value})`;
}

/** Returns the fragment of JavaScript code that results from joining all fragments with a separator. */
export function joined(fragments: readonly Fragment[], separator: ', ' | ' || ' | ' && ' | ' ?? ' | '\n'): Fragment {
  return Fragment.trusted(fragments.map(({ source }) => source).join(separator));
}

/** Prefix of a generated JavaScript name (variable, label or constant). The prefix shows a reader of the code what the name is used for. */
export type NameRole =
  | 'item'
  | 'key'
  | 'index'
  | 'list'
  | 'map'
  | 'found'
  | 'count'
  | 'error'
  | 'Failed'
  | 'Loop'
  | 'value'
  | 'test'
  | 'out'
  | 'read'
  | 'k';

/** Generator of names for the local variables, labels and constants of one function. Each name is generated only once. */
export class Names {
  #next = 0;

  fresh(role: NameRole): Fragment {
    return Fragment.trusted(`${role}${this.#next++}`);
  }
}

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
