/** Functions that are called each time something happens, in the order in which they came. */
export class Listeners<Told extends readonly unknown[]> {
  readonly #listeners = new Set<(...told: Told) => void>();

  /** Returns the way to stop listening. */
  add(listener: (...told: Told) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(...told: Told): void {
    for (const listener of this.#listeners) listener(...told);
  }
}
