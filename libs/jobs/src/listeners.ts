/** Functions that are called each time an event happens, in the order in which they were added. */
export class Listeners<Event extends readonly unknown[]> {
  readonly #listeners = new Set<(...event: Event) => void>();

  /** Adds a listener. Returns a function that removes the listener. */
  add(listener: (...event: Event) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(...event: Event): void {
    for (const listener of this.#listeners) listener(...event);
  }
}
