import { chunkBytes } from '#evaluation';
import type { Picked, Sized } from '../flow/index.ts';
import type { Work } from '../protocol.ts';

/**
 * Expected time on a thread for one definition and for one object, in ms. When the work is done, the measured time corrects the time that
 * is charged for it.
 */
const DEFINITION_MS = 20;
const OBJECT_MS = 0.2;
/** Number of bytes of YAML that a thread parses in one ms. */
const YAML_BYTES_PER_MS = 1e4;

/** Owner of waiting work: a request, or a run (stretch of consecutive items) of a batch. */
export type WorkOwner =
  | { readonly kind: 'request' }
  /**
   * Run of a batch. `isAlone`: true if no other task may wait behind the run in the engine. `isClaimed`: true if the run was claimed from
   * the queue of detached evaluations. `priced`: digest of the definition whose price the run teaches.
   */
  | { readonly kind: 'run'; readonly isAlone: boolean; readonly isClaimed: boolean; readonly priced: string | undefined };

/** Entry of the fair queue: work of a request, or a run (stretch of consecutive items) of a batch. */
export class WaitingWork implements Sized {
  /** Number of items of a run. For other work, the expected time in ms, which the fair queue counts like items of 1 ms each. */
  readonly items: number;
  readonly owner: WorkOwner;
  /** Number of bytes from which the fair queue estimates the time of a run, and 0 for other work. */
  readonly bytes: number;
  /** Size in bytes of the objects that wait with the work. */
  readonly heldBytes: number;
  readonly queuedAt = performance.now();
  #settle: ((picked: Picked<WaitingWork> | undefined) => void) | undefined;

  /** `settle` is called once: with the picked entry when it is the work's turn, or without an argument if the work's request ends first. */
  constructor(work: Work, owner: WorkOwner, settle: (picked: Picked<WaitingWork> | undefined) => void) {
    this.owner = owner;
    this.heldBytes = bytesOf(work);
    const isRun = owner.kind === 'run' && work.kind === 'evaluate';
    this.items = isRun ? work.items.length : expectedMs(work);
    this.bytes = isRun ? this.heldBytes : 0;
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
