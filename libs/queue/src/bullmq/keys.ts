/** Names of keys that are read outside scripts. One hash tag, so that scripts may touch several keys of a cluster. All keys, with their types: `lua/include/keys.lua`. */
export class Keys {
  /** The hash tag, from which scripts make all other names. */
  readonly prefix: string;

  /** `namespace` keeps installations (and tests) that share a server apart. */
  constructor(namespace: string) {
    this.prefix = `{${namespace}}`;
  }

  /** BullMQ's own keys. */
  get bullmq(): string {
    return `${this.prefix}:bull`;
  }
  /** Hash: claims by job. */
  get leased(): string {
    return `${this.prefix}:leased`;
  }
  /** Sorted set: consumers by the time at which they count as gone. */
  get consumers(): string {
    return `${this.prefix}:consumers`;
  }
  /** Hash: seats by consumer that other work leaves to this queue. */
  get freeSeats(): string {
    return `${this.prefix}:free`;
  }

  /** Hash: seats by consumer. */
  get seats(): string {
    return `${this.prefix}:seats`;
  }
  /** Hash: waiting chunks by level, flow, and `` in all. */
  get waitingChunks(): string {
    return `${this.prefix}:fq:chunks`;
  }
  get waitingBytes(): string {
    return `${this.prefix}:fq:bytes`;
  }
  /** Hash: bytes of kept results by level, flow, and `` in all. */
  get resultBytes(): string {
    return `${this.prefix}:fq:results`;
  }
  /** Hash: claimed chunks by level and flow. */
  get running(): string {
    return `${this.prefix}:fq:run`;
  }
  /** Channel of ids whose progress changed. */
  get changes(): string {
    return `${this.prefix}:changes`;
  }
  /** Channel of ids that were cancelled. */
  get cancellations(): string {
    return `${this.prefix}:cancellations`;
  }
  /** Hash: an evaluation's state, counts and record. */
  evaluation(id: string): string {
    return `${this.prefix}:ev:${id}`;
  }
  /** Hash: the packed results, by chunk. */
  results(id: string): string {
    return `${this.prefix}:res:${id}`;
  }
  definition(digest: string): string {
    return `${this.prefix}:def:${digest}`;
  }
  /** Ms that an item of a definition took lately. */
  price(digest: string): string {
    return `${this.prefix}:price:${digest}`;
  }
}
