import { areDistinctTexts } from './distinct-texts.ts';

/** Maximum length of lists whose keys are faster to compare pairwise, without their recorded positions. */
const SHORT = 12;
/** Initial capacity of {@link KeyPlaces}, in integers. Each key takes two integers. */
const FIRST_ROOM = 1024;

/**
 * Positions of the values of the key field in the items of lists with `x-kubernetes-list-type: map`, in the bytes of the current document.
 * The positions of an inner list are stored after the positions of its outer list, and are removed when the inner list ends.
 */
export class KeyPlaces {
  /** Number of integers in use, two for each recorded key. */
  used = 0;
  #places = new Int32Array(FIRST_ROOM);

  /** Starts a new document by removing all positions. */
  begin(): void {
    this.used = 0;
  }

  /**
   * Records the position of a key: the offset of its opening quote, and the offset after its closing quote.
   *
   * Keys with escapes or characters beyond ASCII are not recorded. They are recognised because their `length` is less than the number of
   * bytes between the quotes.
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
   * Ends a list whose first key was recorded at `start`. Returns true if the keys of all elements were recorded and are distinct. `false`
   * is inconclusive.
   *
   * @param count Number of elements in the list.
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
