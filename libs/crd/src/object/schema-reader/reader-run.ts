import { ByteCursor, Cancelled } from '#go';
import type { CancellationToken } from '#go';
import { OBJECT_BUDGET, PER_CALL_LIMIT } from '#kube';
import type { ColumnSet } from './columns.ts';
import type { ObjectWrite, SentIdentity, ValidationOptions } from '../../verdict.ts';
import { DistinctTable, mixedAgain, MULTIPLIER, SEED } from '../write/distinct.ts';

/** Second secret factor of the hash. It prevents the multiplications of the hash from being combined into a single multiplication. */
const INNER = Math.floor(Math.random() * 2 ** 31) * 2 + 1;

/**
 * Returns true if all texts are distinct. Only their bytes are compared, without creating strings. `false` is inconclusive.
 *
 * @param bytes Document whose texts contain no escapes, so that equal texts have equal bytes.
 * @param places Offsets of each text: at twice its index the offset of its first byte, followed by the offset after its last byte.
 * @param count Number of texts.
 */
export function areDistinctTexts(bytes: Uint8Array, places: Int32Array, count: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const table = new DistinctTable(count, (a, b) => isSameText(bytes, places, a, b));
  for (let i = 0; i < count; i++) {
    const from = places[2 * i] as number;
    const to = places[2 * i + 1] as number;
    const length = to - from;
    let hash = SEED ^ length;
    if (length >= 4) {
      for (let at = from; at < to - 4; at += 4) hash = mixed(hash, view.getInt32(at, true));
      // If the length is not a multiple of four, the last four bytes overlap with the previous four.
      hash = mixed(hash, view.getInt32(to - 4, true));
    } else if (length > 0) {
      const middle = bytes[from + (length >> 1)] as number;
      hash = mixed(hash, (bytes[from] as number) | (middle << 8) | ((bytes[to - 1] as number) << 16));
    }
    if (!table.add(i, mixedAgain(hash))) return false;
  }
  return true;
}

/**
 * Adds a word of four bytes to a hash. Both factors are secret. The upper bits of the first product are mixed into the lower bits before
 * the second multiplication.
 */
function mixed(hash: number, word: number): number {
  const product = Math.imul(word, INNER);
  return Math.imul(((hash << 13) | (hash >>> 19)) ^ product ^ (product >>> 15), MULTIPLIER);
}

function isSameText(bytes: Uint8Array, places: Int32Array, a: number, b: number): boolean {
  const [from, to, other] = [places[2 * a] as number, places[2 * a + 1] as number, places[2 * b] as number];
  if (to - from !== (places[2 * b + 1] as number) - other) return false;
  for (let i = 0; i < to - from; i++) if (bytes[from + i] !== bytes[other + i]) return false;
  return true;
}

/** Maximum length of lists whose keys are faster to compare pairwise, without their recorded positions. */
const SHORT = 12;
/** Initial capacity of {@link KeyPlaces}, in integers. Each key takes two integers. */
const FIRST_ROOM = 1024;

/**
 * Positions of the values of the key field in the items of lists with `x-kubernetes-list-type: map`, in the bytes of the current document.
 * The positions of an inner list are stored after the positions of its outer list, and are removed when the inner list ends.
 */
class KeyPlaces {
  /** Number of integers in use, two for each recorded key. */
  used = 0;
  #places = new Int32Array(FIRST_ROOM);

  /** Starts a new document by removing all positions. */
  begin(): void {
    this.used = 0;
  }

  /**
   * Records the position of a key: the offset of its opening quote, and the offset after its closing quote.
   *
   * Keys with escapes or characters beyond ASCII are not recorded. They are recognised because their `length` is less than the number of
   * bytes between the quotes.
   */
  note(from: number, to: number, length: number): void {
    if (to - from - 2 !== length) return;
    const { used } = this;
    if (used + 2 > this.#places.length) this.#grow();
    this.#places[used] = from + 1;
    this.#places[used + 1] = to - 1;
    this.used = used + 2;
  }

  /**
   * Ends a list whose first key was recorded at `start`. Returns true if the keys of all elements were recorded and are distinct. `false`
   * is inconclusive.
   *
   * @param count Number of elements in the list.
   */
  areDistinctFrom(start: number, count: number, bytes: Uint8Array): boolean {
    const { used } = this;
    this.used = start;
    if (count <= SHORT || used - start !== 2 * count) return false;
    return areDistinctTexts(bytes, this.#places.subarray(start, used), count);
  }

  #grow(): void {
    const more = new Int32Array(2 * this.#places.length);
    more.set(this.#places);
    this.#places = more;
  }
}

const NEVER_CANCELLED: CancellationToken = { cancelled: false };

// All readers share these keys, because the thread reads one document at a time, and its keys end with it.
const KEYS = new KeyPlaces();

/**
 * State of a generated reader for the current document. It contains the position, the cost limits and the costs so far, and facts recorded
 * while reading.
 */
export class ReaderRun {
  readonly cursor = new ByteCursor();
  /** Positions of the keys of map lists in the current document. */
  readonly keys = KEYS;
  /**
   * Lists of the current document that are stored in columns, without a value for each element; undefined if lists are read into arrays.
   */
  columns: ColumnSet | undefined;
  /**
   * True if the write is an update. In an update, the metadata, the status and the rules with `oldSelf` are checked later, with the old
   * object.
   */
  isUpdate = false;
  /** Cost of all rules evaluated so far, in cost units. */
  cost = 0;
  /** Cost limit of one expression, in cost units. */
  costLimit = PER_CALL_LIMIT;
  /** Cost limit of one object, in cost units. */
  budget = OBJECT_BUDGET;
  token: CancellationToken = NEVER_CANCELLED;
  /** Identity of the object in the request, before the server sets fields. */
  sent: SentIdentity = {};
  /** True if the reader may drop the resourceVersion of a create, because the write's `ownedFields` is `takenOff`. */
  mayTakeOff = false;
  tookOff = false;
  readonly #hasWideDefaults: boolean;
  /** Cached value of `isPlain`. It is computed on first access, because it requires a scan of the whole document. */
  #isPlain: boolean | undefined;

  /** @param hasWideDefaults True if a default contains a character of two UTF-16 units. */
  constructor(hasWideDefaults: boolean) {
    this.#hasWideDefaults = hasWideDefaults;
  }

  /** Starts a document. Returns false if the document is not well-formed UTF-8. */
  begin(bytes: Uint8Array, write: ObjectWrite, options: ValidationOptions): boolean {
    this.isUpdate = write.operation === 'UPDATE';
    this.cost = 0;
    this.costLimit = options.costLimit ?? PER_CALL_LIMIT;
    this.budget = options.budget ?? OBJECT_BUDGET;
    this.token = options.token ?? NEVER_CANCELLED;
    this.sent = {};
    this.mayTakeOff = write.ownedFields === 'takenOff';
    this.tookOff = false;
    this.keys.begin();
    this.#isPlain = undefined;
    return this.cursor.begin(bytes, options.token);
  }

  /** True if no text of the object contains a character of two UTF-16 units. This includes sent texts and defaults. */
  get isPlain(): boolean {
    return (this.#isPlain ??= !this.#hasWideDefaults && this.cursor.isPlain);
  }

  /** Releases the references to the document. */
  end(): void {
    this.cursor.end();
    this.token = NEVER_CANCELLED;
  }

  /** Throws `Cancelled` if the token is cancelled. It is called at intervals by all loops that grow with the document. */
  poll(): void {
    if (this.token.cancelled) throw new Cancelled();
  }
}
