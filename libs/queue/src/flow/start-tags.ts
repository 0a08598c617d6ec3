/** A child of a scheduling node and the virtual time at which its next chunk starts. */
export interface StartTag {
  readonly name: string;
  readonly start: number;
}

/** Children by start tag, equal ones by name (bytes, as a sorted set of Redis): finding and placing is O(log n), all names are ASCII. */
export class StartTags {
  readonly #ordered: StartTag[] = [];
  readonly #starts = new Map<string, number>();

  get size(): number {
    return this.#ordered.length;
  }

  get first(): StartTag | undefined {
    return this.#ordered[0];
  }

  /** All, the least tag first. */
  [Symbol.iterator](): IterableIterator<StartTag> {
    return this.#ordered.values();
  }

  start(name: string): number | undefined {
    return this.#starts.get(name);
  }

  /** Adds a child, or moves it. */
  set(name: string, start: number): void {
    this.delete(name);
    this.#starts.set(name, start);
    this.#ordered.splice(this.#position(name, start), 0, { name, start });
  }

  /** The tag that was removed; undefined when there was none. */
  delete(name: string): number | undefined {
    const start = this.#starts.get(name);
    if (start === undefined) return undefined;
    this.#starts.delete(name);
    this.#ordered.splice(this.#position(name, start), 1);
    return start;
  }

  /** Returns the place of a tag, or the place that it would get. */
  #position(name: string, start: number): number {
    let [low, high] = [0, this.#ordered.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const tag = this.#ordered[middle];
      if (tag && (tag.start < start || (tag.start === start && tag.name < name))) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
