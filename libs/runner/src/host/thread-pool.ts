import type { DefinitionText } from '#evaluation';
import { isSmall } from '../frames/evaluation-frame.ts';
import { RUN_LIMITS } from '../limits.ts';
import { ThreadSlot } from './thread-slot.ts';
import type { Piece, SlotAnswer } from './thread-slot.ts';

/** A piece of work that is not answered yet. */
interface Taken extends Piece {
  /** The slot that has it; undefined while it is queued. */
  slot: ThreadSlot<Taken> | undefined;
}

/** Size of a pool, and the receiver of its answers. */
export interface ThreadPoolSettings {
  readonly threads: number;
  readonly threadHeapMb: number;
  /** Texts of definitions by digest. */
  readonly texts: ReadonlyMap<string, DefinitionText>;
  /** Called once for each piece. */
  readonly answered: (id: number, answer: SlotAnswer) => void;
}

/** The threads of the engine host, and the pieces of work that are queued for them or run on them. */
export class ThreadPool {
  readonly #slots: readonly ThreadSlot<Taken>[];
  readonly #answered: ThreadPoolSettings['answered'];
  readonly #open = new Map<number, Taken>();
  /** Pieces that run when a thread is idle again, in order. */
  #queued: Taken[] = [];

  constructor({ threads, threadHeapMb, texts, answered }: ThreadPoolSettings) {
    const listener = { freed: () => this.dispatch(), gaveBack: (pieces: readonly Taken[]) => this.#requeue(pieces) };
    this.#slots = Array.from({ length: threads }, () => new ThreadSlot<Taken>(texts, threadHeapMb, listener));
    this.#answered = answered;
  }

  /** Queues a piece of work. It begins with the next {@link dispatch}. */
  take(id: number, work: Piece['work']): void {
    const taken: Taken = { work, slot: undefined, settle: (answer) => this.#settle(id, answer) };
    this.#open.set(id, taken);
    this.#queued.push(taken);
  }

  /** Gives idle threads queued pieces, in turn: one piece, or all small ones that follow each other. */
  dispatch(): void {
    while (this.#queued.length > 0) {
      const slot = this.#slots.find((candidate) => candidate.idle);
      if (!slot) return;
      const pieces = this.#queued.splice(0, givenAtOnce(this.#queued));
      for (const piece of pieces) piece.slot = slot;
      slot.run(pieces);
    }
  }

  /** Cancels a piece, queued or running. An answered piece stays as it is. */
  cancel(id: number): void {
    const one = this.#open.get(id);
    if (one === undefined) return;
    if (one.slot) return one.slot.cancel(one);
    this.#queued = this.#queued.filter((queued) => queued !== one);
    one.settle({ kind: 'terminated', spentMs: 0 });
  }

  #requeue(pieces: readonly Taken[]): void {
    for (const piece of pieces) piece.slot = undefined;
    this.#queued.unshift(...pieces);
    this.dispatch();
  }

  #settle(id: number, answer: SlotAnswer): void {
    this.#open.delete(id);
    this.#answered(id, answer);
  }
}

/** Returns the number of pieces that a thread is given at once. */
function givenAtOnce(waiting: readonly Piece[]): number {
  let small = 0;
  for (const { work } of waiting) {
    if (!(work instanceof Uint8Array) || !isSmall(work) || small === RUN_LIMITS.smallPieces) break;
    small++;
  }
  return Math.max(small, 1);
}
