/**
 * A piece of JavaScript. Only {@link js} and {@link Names} make one, and neither takes text. So text of a client
 * reaches generated code only as a value in the array of constants, never as source.
 */
export class Fragment {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** The source text, for the linker. */
  get source(): string {
    return this.#text;
  }

  /** For this module alone: text from template literals of this library, or made by {@link Names}. */
  static trusted(text: string): Fragment {
    return new Fragment(text);
  }
}

/** Returns generated code of a template. Interpolates fragments and numbers, nothing else. */
export function js(parts: TemplateStringsArray, ...values: readonly (Fragment | number)[]): Fragment {
  let text = parts[0]!;
  for (const [i, value] of values.entries()) text += (typeof value === 'number' ? numberText(value) : value.source) + parts[i + 1]!;
  return Fragment.trusted(text);
}

function numberText(value: number): string {
  if (value > 0 || Object.is(value, 0)) return String(value);
  return Object.is(value, -0) ? '(-0)' : `(${value})`;
}

/** Fragments one after the other. */
export function joined(fragments: readonly Fragment[], separator: ', ' | ' || ' | ' && ' | ' ?? ' | '\n'): Fragment {
  return Fragment.trusted(fragments.map(({ source }) => source).join(separator));
}

/** The role of a generated name, which begins with this word. */
export type NameRole =
  'item' | 'key' | 'index' | 'list' | 'map' | 'found' | 'count' | 'error' | 'Failed' | 'Loop' | 'value' | 'test' | 'out' | 'read' | 'k';

/** Names of local variables, labels and constants of one function, each used once. */
export class Names {
  private next = 0;

  fresh(role: NameRole): Fragment {
    return Fragment.trusted(`${role}${this.next++}`);
  }
}
