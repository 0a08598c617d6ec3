import type { CancellationToken } from '#go';

/** What is known of a piece of work that a thread was given: it waits there, it runs, it is to stop, it was taken back before it ran, it is over. */
const STATE = { waiting: 0, begun: 1, stopping: 2, takenBack: 3, over: 4 } as const;

/** Of each piece the board has its state, and where its answer stands: place and length. */
const FIELDS = 3;
const [AT, LENGTH] = [1, 2];

/** Pieces of work that a thread is given at once at most. */
export const BOARD_PIECES = 32;
/** Room for the answers of all of them, bytes; an answer that does not fit is a message of its own. */
const ANSWER_BYTES = 64 * 1024;

/** The memory that a board's two sides share. */
export interface SharedBoard {
  readonly states: SharedArrayBuffer;
  readonly answers: SharedArrayBuffer;
}

/**
 * What a thread and its owner know of the pieces of work that the thread was given at once: which it has begun, which are over, and their answers. The owner sees it also
 * while the thread is in the middle of a piece and hears nothing: it can stop that one, take back those behind it, and has the answers of those before.
 */
export class PieceBoard {
  readonly shared: SharedBoard;
  readonly #states: Int32Array;
  readonly #answers: Buffer;
  #answerBytes = 0;

  constructor(
    shared: SharedBoard = {
      states: new SharedArrayBuffer(BOARD_PIECES * FIELDS * Int32Array.BYTES_PER_ELEMENT),
      answers: new SharedArrayBuffer(ANSWER_BYTES),
    },
  ) {
    this.shared = shared;
    this.#states = new Int32Array(shared.states);
    this.#answers = Buffer.from(shared.answers);
  }

  /** Owner: so many pieces are given to the thread, which has none. */
  lay(pieces: number): void {
    for (let piece = 0; piece < pieces; piece++) {
      Atomics.store(this.#states, piece * FIELDS + LENGTH, 0);
      Atomics.store(this.#states, piece * FIELDS, STATE.waiting);
    }
  }

  /** Owner: takes a piece back. False where the thread has begun it. */
  takeBack(piece: number): boolean {
    return this.#change(piece, STATE.waiting, STATE.takenBack);
  }

  /** Owner: asks a piece that runs to stop. */
  stop(piece: number): void {
    this.#change(piece, STATE.begun, STATE.stopping);
  }

  /** Owner: whether a piece is over, whatever came of it. */
  isOver(piece: number): boolean {
    return Atomics.load(this.#states, piece * FIELDS) === STATE.over;
  }

  /** Owner: the answer that the thread left on the board, to be copied before the thread is given more; undefined where there is none. */
  answerOf(piece: number): Buffer | undefined {
    if (!this.isOver(piece)) return undefined;
    const length = Atomics.load(this.#states, piece * FIELDS + LENGTH);
    const at = Atomics.load(this.#states, piece * FIELDS + AT);
    return length === 0 ? undefined : this.#answers.subarray(at, at + length);
  }

  /** Thread: the answers of earlier pieces are no longer needed. */
  wipe(): void {
    this.#answerBytes = 0;
  }

  /** Thread: begins a piece. False where it was taken back. */
  begin(piece: number): boolean {
    return this.#change(piece, STATE.waiting, STATE.begun);
  }

  /** Thread: leaves an answer on the board. False where there is no room for it. */
  leave(piece: number, answer: Uint8Array): boolean {
    const at = this.#answerBytes;
    if (at + answer.length > ANSWER_BYTES) return false;
    this.#answers.set(answer, at);
    this.#answerBytes += answer.length;
    Atomics.store(this.#states, piece * FIELDS + AT, at);
    Atomics.store(this.#states, piece * FIELDS + LENGTH, answer.length);
    return true;
  }

  /** Thread: the piece is over; its answer was left on the board, or sent. */
  end(piece: number): void {
    Atomics.store(this.#states, piece * FIELDS, STATE.over);
  }

  /** Thread: the token of the piece that runs. */
  token(): PieceToken {
    return new PieceToken(this.#states);
  }

  #change(piece: number, from: number, to: number): boolean {
    return Atomics.compareExchange(this.#states, piece * FIELDS, from, to) === from;
  }
}

/** The cancellation token of one piece after the other: a poll is one load of shared memory. */
class PieceToken implements CancellationToken {
  readonly #states: Int32Array;
  #place = 0;

  constructor(states: Int32Array) {
    this.#states = states;
  }

  /** Makes it the token of a piece. */
  follow(piece: number): void {
    this.#place = piece * FIELDS;
  }

  get cancelled(): boolean {
    return Atomics.load(this.#states, this.#place) === STATE.stopping;
  }
}
