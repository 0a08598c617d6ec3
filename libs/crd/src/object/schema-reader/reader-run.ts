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
  /** Where keys of lists that are maps stand. */
  readonly keys = KEYS;
  /** Columns of the document at hand; undefined where its lists are to be read as lists. */
  columns: HeldColumns | undefined;
  /** Whether the object is to replace another: its metadata, its status and what rules say of its older self are then judged when that is known. */
  isUpdate = false;
  /** Cost units of all rules that were evaluated. */
  cost = 0;
  /** Cost units of one expression. */
  costLimit = PER_CALL_LIMIT;
  /** Cost units of one object. */
  budget = OBJECT_BUDGET;
  token: CancellationToken = NEVER_CANCELLED;
  /** What the object called itself, before anything was set. */
  sent: SentIdentity = {};
  /** Whether a resourceVersion may be, and was, taken off. */
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

  /** Whether no text of the object holds a character of two UTF-16 units: neither one that was sent, nor one that a default brings. */
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
