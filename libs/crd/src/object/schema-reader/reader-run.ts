import { ByteCursor, Cancelled } from '#go';
import type { CancellationToken } from '#go';
import { OBJECT_BUDGET, PER_CALL_LIMIT } from '#kube';
import type { HeldColumns } from './held-columns.ts';
import { KeyPlaces } from './key-places.ts';
import type { ObjectWrite, SentIdentity, ValidationOptions } from '../../verdict.ts';

const NEVER_CANCELLED: CancellationToken = { cancelled: false };

// One document is read at a time, and nothing is left of its keys when the next one comes.
const KEYS = new KeyPlaces();

/** One reading after the other by one reader: where it is, what it may spend and has spent, and what it noted on the way. */
export class ReaderRun {
  readonly cursor = new ByteCursor();
  /** Positions of the keys of map lists. */
  readonly keys = KEYS;
  /** Columns of the document at hand; undefined where its lists are to be read as lists. */
  columns: HeldColumns | undefined;
  /**
   * True if the object replaces another one. The metadata, the status and rules with `oldSelf` are judged later, with
   * the old object.
   */
  isUpdate = false;
  /** Cost units of all rules that were evaluated. */
  cost = 0;
  /** Cost units of one expression. */
  costLimit = PER_CALL_LIMIT;
  /** Cost units of one object. */
  budget = OBJECT_BUDGET;
  token: CancellationToken = NEVER_CANCELLED;
  /** Identity of the object in the request, before the server sets fields. */
  sent: SentIdentity = {};
  /** True if the reader may drop a resourceVersion. */
  mayTakeOff = false;
  tookOff = false;
  readonly #hasWideDefaults: boolean;
  /** Undefined until it is asked for: the whole document is looked at. */
  #isPlain: boolean | undefined;

  /** @param hasWideDefaults whether some default holds a character of two UTF-16 units */
  constructor(hasWideDefaults: boolean) {
    this.#hasWideDefaults = hasWideDefaults;
  }

  /** Begins a document; false where it is not well-formed UTF-8. */
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

  /** True if no text of the object, neither sent nor a default, has a character of two UTF-16 units. */
  get isPlain(): boolean {
    return (this.#isPlain ??= !this.#hasWideDefaults && this.cursor.isPlain);
  }

  /** Lets go of what belongs to the document. */
  end(): void {
    this.cursor.end();
    this.token = NEVER_CANCELLED;
  }

  /** Called now and then by everything that grows with the document. Throws `Cancelled` when the token says stop. */
  poll(): void {
    if (this.token.cancelled) throw new Cancelled();
  }
}
