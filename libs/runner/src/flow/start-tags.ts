/**
 * Start tag of one child in the tree by which the fair queue chooses the next chunk (part of an evaluation). The tag `start` is the virtual
 * time at which the child's next chunk starts.
 */
export interface StartTag {
  readonly name: string;
  readonly start: number;
}

/**
 * Children of a node of the fair queue's tree, sorted by start tag (virtual time at which the child's next chunk starts). Children with
 * equal tags are sorted by the bytes of their names, like the members of a Redis sorted set. All names are ASCII. Finding a position takes
 * O(log n).
 */
export class StartTags {
  readonly #ordered: StartTag[] = [];
  readonly #starts = new Map<string, number>();

  get size(): number {
    return this.#ordered.length;
  }

  get first(): StartTag | undefined {
    return this.#ordered[0];
  }

  /** Iterates over all children, with the least start tag first. */
  [Symbol.iterator](): IterableIterator<StartTag> {
    return this.#ordered.values();
  }

  start(name: string): number | undefined {
    return this.#starts.get(name);
  }

  /** Adds a child with a start tag, or changes the start tag of an existing child. */
  set(name: string, start: number): void {
    this.delete(name);
    this.#starts.set(name, start);
    this.#ordered.splice(this.#position(name, start), 0, { name, start });
  }

  /** Removes a child. Returns its start tag, or undefined if the child is unknown. */
  delete(name: string): number | undefined {
    const start = this.#starts.get(name);
    if (start === undefined) return undefined;
    this.#starts.delete(name);
    this.#ordered.splice(this.#position(name, start), 1);
    return start;
  }

  /** Returns the index of a child with this name and start tag, or the index at which the child must be inserted. */
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
