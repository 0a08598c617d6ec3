/** Number of slots of an empty table. */
const MIN_SLOTS = 16;

/**
 * Hash table that stores each distinct number once, with an index in the order of insertion. The numbers 0 and -0 are the same, and all NaN
 * are the same number.
 *
 * The runtime's own tables hash numbers without a seed, so a client could choose thousands of numbers for one slot. Source of the hash:
 * Zobrist; Pătraşcu and Thorup, The Power of Simple Tabulation Hashing (2012).
 */
export class NumberTable {
  /**
   * Random words for tabulation hashing, by the position and value of a byte. They prevent clients from predicting the slot of a number. All
   * tables share them. The first table creates them, because the source of random numbers takes long to load.
   */
  static #sharedWords: Uint32Array | undefined;
  readonly #words = (NumberTable.#sharedWords ??= crypto.getRandomValues(new Uint32Array(8 * 256)));
  #numbers: Float64Array;
  /**
   * Hash slots. A used slot contains the index of its number plus one, and a free slot contains 0. If another number uses a slot, the next
   * slot is tried. At most half of the slots are used.
   */
  #slots: Int32Array;
  #size = 0;
  readonly #double = new Float64Array(1);
  readonly #halves = new Uint32Array(this.#double.buffer);

  /** @param expected number of distinct numbers for which memory is reserved at first */
  constructor(expected = 0) {
    let slots = MIN_SLOTS;
    while (slots < 2 * expected) slots *= 2;
    this.#slots = new Int32Array(slots);
    this.#numbers = new Float64Array(slots / 2);
  }

  /** Number of distinct numbers in the table. */
  get size(): number {
    return this.#size;
  }

  /** Returns the index of a number, or -1 if the table does not contain it. */
  indexOf(number: number): number {
    return (this.#slots[this.#slotOf(number)] as number) - 1;
  }

  /** Adds a number and returns its index. The index of a new number is the previous {@link size}. */
  add(number: number): number {
    const slot = this.#slotOf(number);
    const taken = this.#slots[slot] as number;
    if (taken !== 0) return taken - 1;
    const index = this.#size++;
    this.#numbers[index] = number;
    this.#slots[slot] = index + 1;
    if (this.#size === this.#numbers.length) this.#grow();
    return index;
  }

  /** Returns the slot that contains a number, or the free slot into which the number must be inserted. */
  #slotOf(number: number): number {
    const mask = this.#slots.length - 1;
    const isNaN = number !== number;
    this.#double[0] = isNaN ? NaN : number + 0;
    const [low, high] = [this.#halves[0] as number, isNaN ? 0 : (this.#halves[1] as number)];
    let slot = hashed(this.#words, low, high) & mask;
    for (let taken = this.#slots[slot] as number; taken !== 0; taken = this.#slots[slot] as number) {
      const other = this.#numbers[taken - 1] as number;
      if (other === number || (isNaN && other !== other)) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    const numbers = this.#numbers;
    this.#numbers = new Float64Array(4 * numbers.length);
    this.#numbers.set(numbers);
    this.#slots = new Int32Array(8 * numbers.length);
    for (let i = 0; i < this.#size; i++) this.#slots[this.#slotOf(numbers[i] as number)] = i + 1;
  }
}

function hashed(words: Uint32Array, low: number, high: number): number {
  return (
    (words[low & 255] as number) ^
    (words[256 | ((low >>> 8) & 255)] as number) ^
    (words[512 | ((low >>> 16) & 255)] as number) ^
    (words[768 | (low >>> 24)] as number) ^
    (words[1024 | (high & 255)] as number) ^
    (words[1280 | ((high >>> 8) & 255)] as number) ^
    (words[1536 | ((high >>> 16) & 255)] as number) ^
    (words[1792 | (high >>> 24)] as number)
  );
}

/** Value in a {@link SeededSet}. Objects and symbols are compared by identity, and all other values by type and value. */
export type SeededKey = string | number | bigint | boolean | null | undefined | symbol | object;

/** Maximum size of a set at which numbers are still stored in the runtime's own set. So few numbers cannot cause many collisions. */
const FEW = 16;

/**
 * Set for values that clients choose. Values are compared as in JavaScript's own `Set`. A client cannot slow down this set with values that
 * collide in a hash table.
 */
export class SeededSet {
  #numbers: NumberTable | undefined;
  /** Bigints as texts. The runtime's hash of a bigint uses only one digit of the bigint. */
  #bigints: Set<SeededKey> | undefined;
  /** All values except bigints and, in a large set, numbers. The runtime hashes strings with a seed, and objects by random numbers. */
  readonly #others = new Set<SeededKey>();

  constructor(keys: Iterable<SeededKey> = []) {
    for (const key of keys) this.add(key);
  }

  /** Number of distinct values in the set. */
  get size(): number {
    return this.#others.size + (this.#numbers?.size ?? 0) + (this.#bigints?.size ?? 0);
  }

  /** Returns true if the set contains a value. */
  has(key: SeededKey): boolean {
    if (typeof key === 'number' && this.#numbers !== undefined) return this.#numbers.indexOf(key) >= 0;
    return typeof key === 'bigint' ? this.#bigints?.has(String(key)) === true : this.#others.has(key);
  }

  /** Adds a value. Returns true if the set did not contain the value before. */
  add(key: SeededKey): boolean {
    if (typeof key === 'number' && (this.#numbers !== undefined || this.#others.size >= FEW)) {
      const numbers = (this.#numbers ??= this.#withNumbers());
      return numbers.size === numbers.add(key);
    }
    const set: Set<SeededKey> = typeof key === 'bigint' ? (this.#bigints ??= new Set()) : this.#others;
    const before = set.size;
    return set.add(typeof key === 'bigint' ? String(key) : key).size > before;
  }

  /** Creates a number table and moves the numbers from `#others` to it. */
  #withNumbers(): NumberTable {
    const numbers = new NumberTable();
    for (const key of this.#others) {
      if (typeof key !== 'number') continue;
      numbers.add(key);
      this.#others.delete(key);
    }
    return numbers;
  }
}
