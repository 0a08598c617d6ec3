/** Hands values from a producer to a consumer in order; the producer waits while `capacity` values are not taken. */
export class BoundedChannel<T> {
  readonly #capacity: number;
  readonly #values: T[] = [];
  #ended: { readonly error?: unknown } | undefined;
  #wake: (() => void)[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Resolves when the value is in. False when the consumer is gone. */
  async push(value: T): Promise<boolean> {
    while (this.#values.length >= this.#capacity && !this.#ended) await this.#change();
    if (this.#ended) return false;
    this.#values.push(value);
    this.#changed();
    return true;
  }

  /** No more values; with an error, the consumer gets it after the values that are in. */
  end(error?: unknown): void {
    this.#ended ??= error === undefined ? {} : { error };
    this.#changed();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    try {
      for (;;) {
        const value = this.#values.shift();
        if (value !== undefined) {
          this.#changed();
          yield value;
        } else if (this.#ended) {
          if ('error' in this.#ended) throw this.#ended.error;
          return;
        } else await this.#change();
      }
    } finally {
      this.end();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  #changed(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
