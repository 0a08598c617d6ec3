/** Waiting work in hand is expected to begin within this time, ms a thread. So threads do not wait for the next small piece, and newcomers are hardly delayed. */
const AHEAD_MS = 4;

/** Pieces that the engine has for each thread at most, however small they are. */
const MOST_PIECES = 16;

/** A piece of work that the engine has. */
interface Piece {
  /** Its expected time on a thread, ms; Infinity: nothing may be in hand behind it. */
  readonly expectedMs: number;
}

/**
 * The work of the engine: one piece on each thread, and small pieces in hand that a thread gets together. All other work
 * waits in its queue.
 */
export class Hands {
  readonly #threads: number;
  readonly #pieces = new Set<Piece>();
  #freed = Promise.withResolvers<undefined>();

  constructor(threads: number) {
    this.#threads = threads;
  }

  /** Returns true if the engine takes one more piece now. */
  get free(): boolean {
    const { size } = this.#pieces;
    if (size < this.#threads) return true;
    if (size >= MOST_PIECES * this.#threads) return false;
    let expectedMs = 0;
    for (const piece of this.#pieces) expectedMs += piece.expectedMs;
    return expectedMs < this.#threads * AHEAD_MS;
  }

  /** Gives the engine a piece. Returns what is called when it is done. */
  take(expectedMs: number): () => void {
    const piece = { expectedMs };
    this.#pieces.add(piece);
    return () => {
      this.#pieces.delete(piece);
      this.#freed.resolve(undefined);
      this.#freed = Promise.withResolvers();
    };
  }

  /** Resolves when the engine takes one more piece. */
  async whenFree(): Promise<void> {
    while (!this.free) await this.#freed.promise;
  }
}
