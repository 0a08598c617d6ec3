import { chunkBytes } from '#evaluation';
import type { Picked, Sized } from '#queue';
import type { Work } from '#runner';

/** Expected times of a definition and of an object on a thread, ms. Corrected with the measured time when the work is done. */
const DEFINITION_MS = 20;
const OBJECT_MS = 0.2;
/** Bytes of YAML that are read in a millisecond. */
const YAML_BYTES_PER_MS = 1e4;

/** The owner of waiting work: a request, or a run that was claimed from the shared queue. */
export type WorkOwner =
  | { readonly kind: 'request' }
  /** `itemMs`: expected time of an item on a thread. `isAlone`: nothing may be in hand behind its work. */
  | { readonly kind: 'run'; readonly itemMs: number; readonly isAlone: boolean };

/** A task that is no chunk of this process's queue and waits for its turn. */
export class WaitingWork implements Sized {
  /** Expected ms: the fair queue counts an "item" of such work as one millisecond. */
  readonly items: number;
  readonly owner: WorkOwner;
  /** Bytes that wait with the work; those of a body are counted with its request. */
  readonly bytes = 0;
  readonly heldBytes: number;
  readonly queuedAt = performance.now();
  #settle: ((picked: Picked<WaitingWork> | undefined) => void) | undefined;

  /** `settle` is called once: with what was picked when the work's turn has come, or without when its request is over. */
  constructor(work: Work, owner: WorkOwner, settle: (picked: Picked<WaitingWork> | undefined) => void) {
    this.owner = owner;
    this.items = owner.kind === 'run' && work.kind === 'evaluate' ? owner.itemMs * work.items.length : expectedMs(work);
    this.heldBytes = bytesOf(work);
    this.#settle = settle;
  }

  /** Ends the wait. False when it ended before. */
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
