import { areDistinctTexts } from './distinct-texts.ts';

/** Lists up to this length are faster compared element by element. */
const SHORT = 12;
/** Integers that there is room for at first. */
const FIRST_ROOM = 1024;

/**
 * Positions of the keys of map lists in the bytes of the current document. The positions of an inner list come after
 * the positions of its outer list, and are dropped when it ends.
 */
export class KeyPlaces {
  /** Integers that are in use. */
  used = 0;
  #places = new Int32Array(FIRST_ROOM);

  /** Begins a document. */
  begin(): void {
    this.used = 0;
  }

  /**
   * Notes a key, by the offsets of its opening quote and behind its closing one. One with escapes or characters beyond ASCII, whose length is less than what
   * is between its quotes, is not noted.
   */
  note(from: number, to: number, length: number): void {
    if (to - from - 2 !== length) return;
    const { used } = this;
    if (used + 2 > this.#places.length) this.#grow();
    this.#places[used] = from + 1;
    this.#places[used + 1] = to - 1;
    this.used = used + 2;
  }

  /**
   * Ends a list whose first key was noted at `start`: whether each of its elements had its key noted and no two are the same. False says nothing.
   *
   * @param count elements of the list
   */
  areDistinctFrom(start: number, count: number, bytes: Uint8Array): boolean {
    const { used } = this;
    this.used = start;
    if (count <= SHORT || used - start !== 2 * count) return false;
    return areDistinctTexts(bytes, this.#places.subarray(start, used), count);
  }

  #grow(): void {
    const more = new Int32Array(2 * this.#places.length);
    more.set(this.#places);
    this.#places = more;
  }
}
