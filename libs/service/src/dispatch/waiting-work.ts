import { chunkBytes } from '#evaluation';
import type { Picked, Sized } from '#queue';
import type { Work } from '#runner';

/**
 * Expected times on a thread of a definition and of an object, in ms. When the work is done, the charge is corrected by the measured time.
 */
const DEFINITION_MS = 20;
const OBJECT_MS = 0.2;
/** Bytes of YAML that are read in a millisecond. */
const YAML_BYTES_PER_MS = 1e4;

/** The owner of waiting work: a request, or a run that was claimed from the shared queue. */
export type WorkOwner =
  | { readonly kind: 'request' }
  /** `itemMs`: expected time of an item on a thread. `isAlone`: nothing may be in hand behind its work. */
  | { readonly kind: 'run'; readonly itemMs: number; readonly isAlone: boolean };

/** Task that waits for its turn and is not a chunk of this process's queue. */
export class WaitingWork implements Sized {
  /** Expected ms: the fair queue counts an "item" of such work as one millisecond. */
  readonly items: number;
  readonly owner: WorkOwner;
  /**
   * Number of bytes for the cost estimate of the fair queue, always 0. `heldBytes` is the size in bytes of the data that waits with the
   * work. The bytes of a request's body are counted with the request.
   */
  readonly bytes = 0;
  readonly heldBytes: number;
  readonly queuedAt = performance.now();
  #settle: ((picked: Picked<WaitingWork> | undefined) => void) | undefined;

  /** `settle` is called once: with the picked entry when the turn of the work comes, or without an argument when its request is over. */
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

/** Bytes of the objects that are part of the work. */
function bytesOf(work: Work): number {
  if (work.kind === 'evaluate') return chunkBytes(work.items);
  return 'items' in work ? work.items.bytes.length : 0;
}
