import type { ValueSchema } from './schema/value-schema.ts';
import type { CelList, CelValue } from './value.ts';

/** List that CEL created. Its elements are held in an array. */
export class ArrayList implements CelList {
  readonly kind = 'list';
  readonly schema: ValueSchema | undefined = undefined;
  readonly elements: readonly CelValue[];
  constructor(elements: readonly CelValue[]) {
    this.elements = elements;
  }
  get size(): number {
    return this.elements.length;
  }
  at(index: number): CelValue {
    return this.elements[index] as CelValue;
  }
}

/** List that CEL created and that a slice of Go's own strings or ints holds upstream. `element` is the Go type of the elements. */
export class NativeList extends ArrayList {
  readonly element: 'string' | 'int';
  constructor(elements: readonly CelValue[], element: 'string' | 'int') {
    super(elements);
    this.element = element;
  }
}

/**
 * List that a comprehension uses as its accumulator if the initial value is an empty list. The operator `+` appends in place. Source:
 * cel-go common/types/list.go `mutableList`.
 */
export class MutableList implements CelList {
  readonly kind = 'list';
  readonly schema: ValueSchema | undefined = undefined;
  readonly elements: CelValue[] = [];
  get size(): number {
    return this.elements.length;
  }
  at(index: number): CelValue {
    return this.elements[index] as CelValue;
  }
  append(other: CelList): this {
    const size = other.size;
    for (let i = 0; i < size; i++) this.elements.push(other.at(i));
    return this;
  }
}

/**
 * View of two lists as one list, without copies.
 *
 * `delegates` is true for lists that CEL concatenated (cel-go common/types/list.go `concatList`). For these lists, `in` is evaluated on
 * each part separately. `delegates` is false if elements are added to a list of an object, because upstream copies the result into a plain
 * list.
 */
export class ConcatList implements CelList {
  readonly kind = 'list';
  readonly schema: ValueSchema | undefined = undefined;
  readonly size: number;
  readonly left: CelList;
  readonly right: CelList;
  readonly delegates: boolean;
  constructor(left: CelList, right: CelList, upstream: 'concatenated' | 'copied') {
    this.left = left;
    this.right = right;
    this.delegates = upstream === 'concatenated';
    this.size = left.size + right.size;
  }
  at(index: number): CelValue {
    return index < this.left.size ? this.left.at(index) : this.right.at(index - this.left.size);
  }
}

/**
 * Result of `+` on a list with the list type `set` or `map`. It keeps the equality rules of its left operand. `keys` are the names of the
 * key fields of a map list; undefined for sets.
 */
export class MergedList extends ArrayList {
  readonly keys: readonly string[] | undefined;
  /**
   * For a set, the key of each element, in the order of the elements. Kubernetes minor versions before 1.37 compare sets by these keys.
   * Undefined in all other cases.
   */
  readonly setKeys: readonly unknown[] | undefined;
  constructor(elements: readonly CelValue[], keys: readonly string[] | undefined, setKeys?: readonly unknown[]) {
    super(elements);
    this.keys = keys;
    this.setKeys = setKeys;
  }
}
