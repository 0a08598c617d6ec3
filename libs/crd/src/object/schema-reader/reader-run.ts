import { ByteCursor, Cancelled } from '#go';
import type { CancellationToken } from '#go';
import { OBJECT_BUDGET, PER_CALL_LIMIT } from '#kube';
import type { ColumnSet } from './column-set.ts';
import { KeyPlaces } from './key-places.ts';
import type { ObjectWrite, SentIdentity, ValidationOptions } from '../../verdict.ts';

const NEVER_CANCELLED: CancellationToken = { cancelled: false };

// The keys can be shared, because only one document is read at a time and its keys end with it.
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
