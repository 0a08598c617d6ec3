/**
 * Sorts items in place, with the same result as Go's `sort.Slice`. The sort is not stable. The algorithm alone determines the order of
 * equal elements, or of elements without an order such as NaN. Source: Go sort/zsortfunc.go (1.26), the pattern-defeating quicksort of
 * Orson Peters.
 */
export function goSort<T>(items: T[], less: (a: T, b: T) => boolean): void {
  new PatternDefeatingSort(items, less).sort(0, items.length, bitLength(items.length));
}

const MAX_INSERTION = 12;
const MIN_NINTHER = 50;
const MIN_SHIFTING = 50;
const MIN_MEDIAN = 8;
const MAX_SHIFTS = 5;
const MAX_SWAPS = 12;

const bitLength = (length: number): number => 32 - Math.clz32(length);

/** Generates pseudo-random numbers by Marsaglia's xorshift method. The seed is the length of the range that is sorted. */
function* pseudoRandom(seed: number): Generator<bigint> {
  let state = BigInt(seed);
  for (;;) {
    state = BigInt.asUintN(64, state ^ (state << 13n));
    state ^= state >> 7n;
    state = BigInt.asUintN(64, state ^ (state << 17n));
    yield state;
  }
}

interface Pivot {
  readonly index: number;
  /** Order that the sampled elements suggest for the whole range. */
  readonly hint: 'increasing' | 'decreasing' | 'unknown';
}

class PatternDefeatingSort<T> {
  readonly #items: T[];
  readonly #isLess: (a: T, b: T) => boolean;
  #swaps = 0;
  constructor(items: T[], isLess: (a: T, b: T) => boolean) {
    this.#items = items;
    this.#isLess = isLess;
  }

  /** Sorts the elements from `start` to `end` (exclusive). After `limit` bad pivots, it uses heap sort. */
  sort(start: number, end: number, limit: number): void {
    let [a, b, left] = [start, end, limit];
    let wasBalanced = true;
    let wasPartitioned = true;
    for (;;) {
      const length = b - a;
      if (length <= MAX_INSERTION) return this.#insertionSort(a, b);
      if (left === 0) return this.#heapSort(a, b);
      if (!wasBalanced) {
        this.#breakPatterns(a, b);
        left--;
      }
      let { index: pivot, hint } = this.#choosePivot(a, b);
      if (hint === 'decreasing') {
        this.#reverse(a, b);
        pivot = b - 1 - (pivot - a);
        hint = 'increasing';
      }
      if (wasBalanced && wasPartitioned && hint === 'increasing' && this.#partialInsertionSort(a, b)) return;
      if (a > 0 && !this.#less(a - 1, pivot)) {
        a = this.#partitionEqual(a, b, pivot);
        continue;
      }
      const { middle, isPartitioned } = this.#partition(a, b, pivot);
      wasPartitioned = isPartitioned;
      wasBalanced = Math.min(middle - a, b - middle) >= Math.trunc(length / 8);
      if (middle - a < b - middle) {
        this.sort(a, middle, left);
        a = middle + 1;
      } else {
        this.sort(middle + 1, b, left);
        b = middle;
      }
    }
  }

  #less(i: number, j: number): boolean {
    return this.#isLess(this.#items[i] as T, this.#items[j] as T);
  }

  #swap(i: number, j: number): void {
    const held = this.#items[i] as T;
    this.#items[i] = this.#items[j] as T;
    this.#items[j] = held;
  }

  #insertionSort(a: number, b: number): void {
    for (let i = a + 1; i < b; i++) for (let j = i; j > a && this.#less(j, j - 1); j--) this.#swap(j, j - 1);
  }

  #heapSort(a: number, b: number): void {
    const size = b - a;
    for (let i = Math.trunc((size - 1) / 2); i >= 0; i--) this.#siftDown(i, size, a);
    for (let i = size - 1; i >= 0; i--) {
      this.#swap(a, a + i);
      this.#siftDown(0, i, a);
    }
  }

  #siftDown(from: number, size: number, first: number): void {
    for (let root = from; ;) {
      let child = 2 * root + 1;
      if (child >= size) return;
      if (child + 1 < size && this.#less(first + child, first + child + 1)) child++;
      if (!this.#less(first + root, first + child)) return;
      this.#swap(first + root, first + child);
      root = child;
    }
  }

  /**
   * Moves elements smaller than the pivot to its left, and all others to its right. `middle` is the new index of the pivot. `isPartitioned`
   * is true if the range already had this order.
   */
  #partition(a: number, b: number, pivot: number): { readonly middle: number; readonly isPartitioned: boolean } {
    this.#swap(a, pivot);
    let [i, j] = [a + 1, b - 1];
    for (let isPartitioned = true; ; isPartitioned = false) {
      while (i <= j && this.#less(i, a)) i++;
      while (i <= j && !this.#less(j, a)) j--;
      if (i > j) {
        this.#swap(j, a);
        return { middle: j, isPartitioned };
      }
      this.#swap(i, j);
      i++;
      j--;
    }
  }

  /**
   * Moves elements equal to the pivot to the left, and greater elements to the right. No element of the range may be smaller than the
   * pivot. Returns the index of the first greater element.
   */
  #partitionEqual(a: number, b: number, pivot: number): number {
    this.#swap(a, pivot);
    let [i, j] = [a + 1, b - 1];
    for (;;) {
      while (i <= j && !this.#less(a, i)) i++;
      while (i <= j && this.#less(a, j)) j--;
      if (i > j) return i;
      this.#swap(i, j);
      i++;
      j--;
    }
  }

  /** Tries to sort a nearly sorted range with a few insertions. Returns true if the range is sorted afterwards. */
  #partialInsertionSort(a: number, b: number): boolean {
    let i = a + 1;
    for (let shifts = 0; shifts < MAX_SHIFTS; shifts++) {
      while (i < b && !this.#less(i, i - 1)) i++;
      if (i === b) return true;
      if (b - a < MIN_SHIFTING) return false;
      this.#swap(i, i - 1);
      if (i - a >= 2) for (let j = i - 1; j >= 1 && this.#less(j, j - 1); j--) this.#swap(j, j - 1);
      if (b - i >= 2) for (let j = i + 1; j < b && this.#less(j, j - 1); j++) this.#swap(j, j - 1);
    }
    return false;
  }

  /** Swaps three elements with pseudo-randomly chosen elements, to break patterns that lead to bad pivots. */
  #breakPatterns(a: number, b: number): void {
    const length = b - a;
    if (length < MIN_MEDIAN) return;
    const random = pseudoRandom(length);
    const mask = (1n << BigInt(bitLength(length))) - 1n;
    const middle = a + Math.trunc(length / 4) * 2;
    for (let i = middle - 1; i <= middle + 1; i++) {
      const other = Number((random.next().value as bigint) & mask);
      this.#swap(i, a + (other >= length ? other - length : other));
    }
  }

  #choosePivot(a: number, b: number): Pivot {
    const length = b - a;
    const quarter = Math.trunc(length / 4);
    let [i, j, k] = [a + quarter, a + quarter * 2, a + quarter * 3];
    this.#swaps = 0;
    if (length >= MIN_MEDIAN) {
      if (length >= MIN_NINTHER) [i, j, k] = [this.#medianAround(i), this.#medianAround(j), this.#medianAround(k)];
      j = this.#median(i, j, k);
    }
    return { index: j, hint: this.#swaps === 0 ? 'increasing' : this.#swaps === MAX_SWAPS ? 'decreasing' : 'unknown' };
  }

  #median(first: number, second: number, third: number): number {
    const [low, high] = this.#ordered(first, second);
    const [middle] = this.#ordered(high, third);
    return this.#ordered(low, middle)[1];
  }

  #medianAround(i: number): number {
    return this.#median(i - 1, i, i + 1);
  }

  #ordered(a: number, b: number): readonly [number, number] {
    if (!this.#less(b, a)) return [a, b];
    this.#swaps++;
    return [b, a];
  }

  #reverse(a: number, b: number): void {
    for (let i = a, j = b - 1; i < j; i++, j--) this.#swap(i, j);
  }
}

/** Number of code units that are compared one by one. Longer texts are then compared natively, in parts. */
const SINGLY = 32;

/** Compares strings by their UTF-8 bytes, as Go does. JavaScript's own comparison differs for characters above U+FFFF. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  const at = firstDifference(a, b, length);
  if (at === length) return a.length - b.length;
  const x = a.charCodeAt(at);
  const y = b.charCodeAt(at);
  const surrogateX = x >= 0xd800 && x <= 0xdfff;
  const surrogateY = y >= 0xd800 && y <= 0xdfff;
  return surrogateX === surrogateY ? x - y : surrogateX ? 1 : -1;
}

/**
 * Returns the index of the first of `length` code units in which two strings differ, or `length` if there is none. Compares parts that
 * double in size, and then halves of the part with the difference. A native comparison of a part is much faster than a loop.
 */
function firstDifference(a: string, b: string, length: number): number {
  let at = 0;
  for (const end = Math.min(length, SINGLY); at < end; at++) if (a.charCodeAt(at) !== b.charCodeAt(at)) return at;
  for (let size = SINGLY; at < length && isSame(a, b, at, at + size); size *= 2) at += size;
  for (let size = length - at; at < length && size > 0;) {
    const half = Math.ceil(size / 2);
    if (isSame(a, b, at, at + half)) {
      at += half;
      size -= half;
    } else if (half === 1) return at;
    else size = half;
  }
  return Math.min(at, length);
}

const isSame = (a: string, b: string, from: number, to: number): boolean => a.slice(from, to) === b.slice(from, to);

/** Returns the keys of an object in the order in which Go prints maps. */
export function sortedKeys(object: { readonly [key: string]: unknown }): string[] {
  return Object.keys(object).sort(compareBytes);
}
