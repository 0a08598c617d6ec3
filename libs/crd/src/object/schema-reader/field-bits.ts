import { joined, js } from '#cel';
import type { Fragment } from '#cel';
import type { ReaderCode } from './reader-code.ts';

/** Number of fields whose bits one variable holds, so that the variable stays a small machine integer. */
const BITS = 30;

/** Position of a field's bit, and the code that accesses it. */
interface Place {
  /** Variable that holds the bits of all present fields. */
  readonly variable: Fragment;
  /** Variable that holds the bits of fields that are null and therefore count as absent. */
  readonly nulls: Fragment;
  /** Expression for the bits of fields that are present and not counted as absent. */
  readonly there: Fragment;
  readonly bit: number;
}

/**
 * Bits that record in generated code which fields of an object are present. They are needed to find duplicates, missing required fields and
 * absent fields with defaults.
 *
 * A second bit marks null in a field that is not nullable. The server treats this field as absent, but still reports a duplicate after it.
 */
export class FieldBits {
  readonly #variables: Fragment[] = [];
  readonly #places = new Map<string, Place>();

  constructor(code: ReaderCode, names: readonly string[]) {
    for (let from = 0; from < names.length; from += BITS) {
      const [variable, nulls] = [code.fresh('found'), code.fresh('found')];
      const there = js`${variable} & ~${nulls}`;
      this.#variables.push(variable, nulls);
      for (const [i, name] of names.slice(from, from + BITS).entries()) this.#places.set(name, { variable, nulls, there, bit: 2 ** i });
    }
  }

  /** Code that declares the variables of the bits. */
  get declarations(): Fragment {
    return joined(
      this.#variables.map((variable) => js`let ${variable} = 0;`),
      '\n',
    );
  }

  /** Emits code that records a field as present. The code returns undefined if the field was already present. */
  note(name: string): Fragment {
    const { variable, bit } = this.#place(name);
    return js`if ((${variable} & ${bit}) !== 0) return undefined; ${variable} |= ${bit};`;
  }

  /** Emits code that marks a recorded field as null, so that it counts as absent. */
  noteNull(name: string): Fragment {
    const { nulls, bit } = this.#place(name);
    return js`${nulls} |= ${bit};`;
  }

  /** Emits a test that is true if a field is absent, or is a null that counts as absent. */
  isAbsent(name: string): Fragment {
    const { there, bit } = this.#place(name);
    return js`(${there} & ${bit}) === 0`;
  }

  /** Returns true if a field has a bit. */
  has(name: string): boolean {
    return this.#places.has(name);
  }

  /** Emits an expression for the number of fields that the object has after its defaults are filled. */
  count(code: ReaderCode, defaulted: readonly string[]): Fragment {
    const masks = new Map<Fragment, number>();
    for (const { there } of this.#places.values()) masks.set(there, 0);
    for (const name of new Set(defaulted)) {
      const { there, bit } = this.#place(name);
      masks.set(there, (masks.get(there) ?? 0) + bit);
    }
    const count = code.constant(countBits);
    return [...masks].reduce((sum, [there, mask]) => js`${sum} + ${count}(${there} | ${mask})`, js`0`);
  }

  /** Emits code that returns undefined unless all of the given fields are present. A null that counts as absent is not present. */
  require(names: readonly string[]): Fragment {
    const masks = new Map<Fragment, number>();
    for (const name of new Set(names)) {
      const { there, bit } = this.#place(name);
      masks.set(there, (masks.get(there) ?? 0) + bit);
    }
    const tests = [...masks].map(([there, mask]) => js`if ((${there} & ${mask}) !== ${mask}) return undefined;`);
    return joined(tests, '\n');
  }

  #place(name: string): Place {
    const place = this.#places.get(name);
    if (place === undefined) throw new Error(`the field ${name} has no bit`);
    return place;
  }
}

/** Returns the number of set bits of a small integer. */
function countBits(integer: number): number {
  const pairs = integer - ((integer >> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >> 2) & 0x33333333);
  return Math.imul((fours + (fours >> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
