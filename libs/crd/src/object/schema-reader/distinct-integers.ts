/** Bits of a table of what occurred, per element, that are worth their memory. */
const BITS_PER_ELEMENT = 64;
/** Probes of an element, on average, above which the table is given up: someone chose integers that land on each other. */
const MOST_PROBES = 8;

// What is hashed comes from strangers: where an integer lands must not be known to them.
const SEED = Math.floor(Math.random() * 2 ** 31);
const MULTIPLIER = Math.floor(Math.random() * 2 ** 30) * 2 + 1;

/**
 * Whether no two of some machine integers are the same; false says nothing.
 *
 * @param bounds the least and the greatest of them
 */
export function areDistinctIntegers(values: Int32Array, { min, max }: { readonly min: number; readonly max: number }): boolean {
  return max - min < values.length * BITS_PER_ELEMENT ? areDistinctInRange(values, min, max) : areDistinctFarApart(values);
}

function areDistinctInRange(values: Int32Array, min: number, max: number): boolean {
  const seen = new Uint8Array(((max - min) >>> 3) + 1);
  for (let i = 0; i < values.length; i++) {
    const at = (values[i] as number) - min;
    const bit = 1 << (at & 7);
    const byte = seen[at >>> 3] as number;
    if ((byte & bit) !== 0) return false;
    seen[at >>> 3] = byte | bit;
  }
  return true;
}

/** The table holds an index plus one; what falls on a slot that is taken goes to the next. */
function areDistinctFarApart(values: Int32Array): boolean {
  const table = new Int32Array(2 ** (33 - Math.clz32(values.length)));
  const shift = Math.clz32(table.length) + 1;
  const mask = table.length - 1;
  let probes = MOST_PROBES * values.length;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    let slot = Math.imul(value ^ SEED, MULTIPLIER) >>> shift;
    for (let taken = table[slot] as number; taken !== 0; taken = table[slot] as number) {
      if (values[taken - 1] === value || --probes < 0) return false;
      slot = (slot + 1) & mask;
    }
    table[slot] = i + 1;
  }
  return true;
}
