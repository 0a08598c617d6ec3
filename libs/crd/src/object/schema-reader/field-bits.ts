import { joined, js } from '#cel';
import type { Fragment } from '#cel';
import type { ReaderCode } from './reader-code.ts';

/** Bits that a small machine integer holds. */
const BITS = 30;

/** The bit of a field. */
interface Place {
  /** The variable that tells what was there. */
  readonly variable: Fragment;
  /** Variable with the bits of null fields that do not count. */
  readonly nulls: Fragment;
  /** Expression for the bits of present fields that count. */
  readonly there: Fragment;
  readonly bit: number;
}

/**
 * One bit for each field of an object, which is set if the field is present. Duplicates, required fields and defaults
 * need it. A second bit marks a null in a field that is not nullable. A server takes it for absent, but still reports a
 * duplicate after it.
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

  /** Takes a field back that was noted: it is null. */
  noteNull(name: string): Fragment {
    const { nulls, bit } = this.#place(name);
    return js`${nulls} |= ${bit};`;
  }

  /** A test for a field that was not there. */
  isAbsent(name: string): Fragment {
    const { there, bit } = this.#place(name);
    return js`(${there} & ${bit}) === 0`;
  }

  /** Returns true if a field has a bit. */
  has(name: string): boolean {
    return this.#places.has(name);
  }

  /** The number of fields that the object has once its defaults are filled. */
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

  /** Silent unless all of these fields were there. */
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
