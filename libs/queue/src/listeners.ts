/** Functions that are called each time something happens, in the order in which they came. */
export class Listeners<Event extends readonly unknown[]> {
  readonly #listeners = new Set<(...event: Event) => void>();

  /** Returns the way to stop listening. */
  add(listener: (...event: Event) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(...event: Event): void {
    for (const listener of this.#listeners) listener(...event);
  }
}
