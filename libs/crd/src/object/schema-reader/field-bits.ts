import { joined, js } from '#cel';
import type { Fragment } from '#cel';
import type { ReaderCode } from './reader-code.ts';

/** Bits that a small machine integer holds. */
const BITS = 30;

/** One bit for each field of an object, which tells whether the field was there: for duplicates, required fields and defaults. */
export class FieldBits {
  readonly #variables: Fragment[] = [];
  readonly #places = new Map<string, { readonly variable: Fragment; readonly bit: number }>();

  constructor(code: ReaderCode, names: readonly string[]) {
    for (const [i, name] of names.entries()) {
      if (i % BITS === 0) this.#variables.push(code.fresh('found'));
      this.#places.set(name, { variable: this.#variables.at(-1) as Fragment, bit: 2 ** (i % BITS) });
    }
  }

  /** Declares the variables. */
  get declarations(): Fragment {
    return joined(
      this.#variables.map((variable) => js`let ${variable} = 0;`),
      '\n',
    );
  }

  /** Notes a field; silent where it was there before. */
  note(name: string): Fragment {
    const { variable, bit } = this.#place(name);
    return js`if ((${variable} & ${bit}) !== 0) return undefined; ${variable} |= ${bit};`;
  }

  /** A test for a field that was not there. */
  isAbsent(name: string): Fragment {
    const { variable, bit } = this.#place(name);
    return js`(${variable} & ${bit}) === 0`;
  }

  /** Whether a field has a bit. */
  has(name: string): boolean {
    return this.#places.has(name);
  }

  /** Silent unless all of these fields were there. */
  require(names: readonly string[]): Fragment {
    const tests = this.#variables.flatMap((variable) => {
      const places = [...new Set(names)].map((name) => this.#place(name)).filter((place) => place.variable === variable);
      const mask = places.reduce((sum, { bit }) => sum + bit, 0);
      return mask === 0 ? [] : [js`if ((${variable} & ${mask}) !== ${mask}) return undefined;`];
    });
    return joined(tests, '\n');
  }

  #place(name: string): { readonly variable: Fragment; readonly bit: number } {
    const place = this.#places.get(name);
    if (place === undefined) throw new Error(`the field ${name} has no bit`);
    return place;
  }
}
