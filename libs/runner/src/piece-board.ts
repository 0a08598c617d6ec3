import type { CancellationToken } from '#go';
import { nextState, PIECE_STATES } from './piece-life.ts';
import type { PieceEvent, PieceState } from './piece-life.ts';

/** Numbers for each piece: its state, and the place and the length of its answer. */
const FIELDS = 3;
const [AT, LENGTH] = [1, 2];
const [QUEUED, CANCELLING, TERMINATING] = (['queued', 'cancelling', 'terminating'] as const).map((state) =>
  PIECE_STATES.indexOf(state),
) as [number, number, number];

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
 * The states (`piece-life.ts`) and answers of the pieces of work that a thread got at once, shared by the thread and its owner. While the thread is in the middle of
 * a piece and hears nothing, the owner can read earlier answers, cancel the piece, and requeue the pieces behind it.
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
      Atomics.store(this.#states, piece * FIELDS, QUEUED);
      this.move(piece, 'assign');
    }
  }

  /** Moves a piece on by an event of either side, and returns its state then. Throws if its life has no such event. */
  move(piece: number, event: PieceEvent): PieceState {
    for (;;) {
      const state = this.stateOf(piece);
      const next = nextState(state, event);
      const [from, to] = [PIECE_STATES.indexOf(state), PIECE_STATES.indexOf(next)];
      if (Atomics.compareExchange(this.#states, piece * FIELDS, from, to) === from) return next;
    }
  }

  /** Returns the state of a piece. */
  stateOf(piece: number): PieceState {
    return PIECE_STATES[Atomics.load(this.#states, piece * FIELDS)] ?? 'queued';
  }

  /** Owner: the answer that the thread left on the board, to be copied before the thread is given more; undefined where there is none. */
  answerOf(piece: number): Buffer | undefined {
    if (this.stateOf(piece) !== 'done') return undefined;
    const length = Atomics.load(this.#states, piece * FIELDS + LENGTH);
    const at = Atomics.load(this.#states, piece * FIELDS + AT);
    return length === 0 ? undefined : this.#answers.subarray(at, at + length);
  }

  /** Thread: the answers of earlier pieces are no longer needed. */
  wipe(): void {
    this.#answerBytes = 0;
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

  /** Thread: the token of the piece that runs. */
  token(): PieceToken {
    return new PieceToken(this.#states);
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
    const state = Atomics.load(this.#states, this.#place);
    return state === CANCELLING || state === TERMINATING;
  }
}
