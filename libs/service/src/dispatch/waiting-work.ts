import { chunkBytes } from '#evaluation';
import type { Picked, Sized } from '#queue';
import type { Work } from '#runner';

/**
 * Expected time on a thread for one definition and for one object, in ms. When the work is done, the measured time corrects the time that
 * is charged for it.
 */
const DEFINITION_MS = 20;
const OBJECT_MS = 0.2;
/** Number of bytes of YAML that a thread parses in one ms. */
const YAML_BYTES_PER_MS = 1e4;

/** The owner of waiting work: a request, or a run (stretch of consecutive items) that was claimed from the shared queue. */
export type WorkOwner =
  | { readonly kind: 'request' }
  /**
   * Run (stretch of consecutive items) from the shared queue. `itemMs`: expected time of an item on a thread, in ms. `isAlone`: true if no
   * other task may wait behind its work in the engine.
   */
  | { readonly kind: 'run'; readonly itemMs: number; readonly isAlone: boolean };

/**
 * Entry of the fair queue for work that is not a chunk of this process's own queue. The work belongs to a request, or to items that were
 * claimed from the shared queue.
 */
export class WaitingWork implements Sized {
  /** Expected time of the work in ms. The fair queue counts each ms of such work as one item. */
  readonly items: number;
  readonly owner: WorkOwner;
  /**
   * Number of bytes from which the fair queue estimates cost, always 0. `heldBytes` is the size in bytes of the data that waits with the
   * work. The bytes of a request's body are counted with the request.
   */
  readonly bytes = 0;
  readonly heldBytes: number;
  readonly queuedAt = performance.now();
  #settle: ((picked: Picked<WaitingWork> | undefined) => void) | undefined;

  /** `settle` is called once: with the picked entry when it is the work's turn, or without an argument if the work's request ends first. */
  constructor(work: Work, owner: WorkOwner, settle: (picked: Picked<WaitingWork> | undefined) => void) {
    this.owner = owner;
    this.items = owner.kind === 'run' && work.kind === 'evaluate' ? owner.itemMs * work.items.length : expectedMs(work);
    this.heldBytes = bytesOf(work);
    this.#settle = settle;
  }

  /** Ends the wait. Returns false if the wait had already ended. */
  settle(picked?: Picked<WaitingWork>): boolean {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(picked);
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
