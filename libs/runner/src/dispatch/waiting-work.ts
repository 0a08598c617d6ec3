import { chunkBytes } from '#documents';
import type { Flow, Picked, Sized } from '../flow/index.ts';
import type { Work } from '../protocol.ts';

/**
 * Expected time on a thread for one definition and for one object, in ms. When the work is done, the measured time corrects the time that
 * is charged for it.
 */
const DEFINITION_MS = 20;
const OBJECT_MS = 0.2;
/** Number of bytes of YAML that a thread parses in one ms. */
const YAML_BYTES_PER_MS = 1e4;

/** Owner of waiting work: a request, or a run of a batch. */
export type WorkOwner = { readonly kind: 'request' } | RunOwner;

/** Run of a batch. */
export interface RunOwner {
  readonly kind: 'run';
  /** True if no other task may wait behind the run in the engine. */
  readonly isAlone: boolean;
  /** Origin of the run: a request of this process, a stored job, or an offer of another process. */
  readonly origin: 'request' | 'job' | 'offer';
  /** Digest of the definition whose price the run teaches. */
  readonly priced: string | undefined;
  /** False if the run must not be offered to other processes. */
  readonly mayLeave: boolean;
  /** Flow that is charged for the texts of an offered run; undefined if the texts are already stored for other processes. */
  readonly holder: Flow | undefined;
}

/** Turn of work that waited: the entry that was picked, and whether it runs in this process or is offered to other processes. */
export interface Turn {
  readonly picked: Picked<WaitingWork>;
  readonly place: 'here' | 'elsewhere';
}

/** Entry of the fair queue: work of a request, or a run of a batch. */
export class WaitingWork implements Sized {
  /** Number of items of a run. For other work, the expected time in ms, which the fair queue counts like items of 1 ms each. */
  readonly items: number;
  readonly owner: WorkOwner;
  /** Number of bytes from which the fair queue estimates the time of a run, and 0 for other work. */
  readonly bytes: number;
  /** Size in bytes of the objects that wait with the work. */
  readonly heldBytes: number;
  readonly queuedAt = performance.now();
  /** True if another process may perform the work. */
  readonly mayLeave: boolean;
  #settle: ((turn: Turn | undefined) => void) | undefined;

  /**
   * @param isLone true if the work must run while the engine runs no other work
   * @param settle is called once: with the turn of the work, or without an argument if the work's request ends first
   */
  constructor(work: Work, owner: WorkOwner, isLone: boolean, settle: (turn: Turn | undefined) => void) {
    this.owner = owner;
    this.heldBytes = bytesOf(work);
    const isRun = owner.kind === 'run' && work.kind === 'evaluate';
    this.items = isRun ? work.items.length : expectedMs(work);
    this.mayLeave = isRun && owner.mayLeave && !owner.isAlone && !isLone;
    this.bytes = isRun ? this.heldBytes : 0;
    this.#settle = settle;
  }

  /** Ends the wait. Returns false if the wait had already ended. */
  settle(turn?: Turn): boolean {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(turn);
    return settle !== undefined;
  }
}

function expectedMs(work: Work): number {
  if (work.kind === 'documents') return work.bytes.length / YAML_BYTES_PER_MS;
  if (work.kind === 'evaluate') return OBJECT_MS * work.items.length;
  return 'items' in work ? OBJECT_MS * work.items.ends.length : DEFINITION_MS;
}

/** Returns the size in bytes of the objects that the work contains. */
function bytesOf(work: Work): number {
  if (work.kind === 'evaluate') return chunkBytes(work.items);
  return 'items' in work ? work.items.bytes.length : 0;
}
