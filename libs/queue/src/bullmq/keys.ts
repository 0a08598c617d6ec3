/**
 * Names of the Redis keys that are used outside scripts. All names share one hash tag, so that scripts may access several keys in a
 * cluster. All keys, with their types: `lua/include/keys.lua`.
 */
export class Keys {
  /** Hash tag that all key names begin with. Scripts derive all other names from it. */
  readonly prefix: string;

  /** `namespace` keeps installations (and tests) that share a server apart. */
  constructor(namespace: string) {
    this.prefix = `{${namespace}}`;
  }

  /** Prefix of BullMQ's own keys. */
  get bullmq(): string {
    return `${this.prefix}:bull`;
  }
  /** Sorted set: leases by the time they end (epoch ms of the server's clock). */
  get leases(): string {
    return `${this.prefix}:leases`;
  }
  /** Sorted set: consumers by the time at which they count as gone. */
  get consumers(): string {
    return `${this.prefix}:consumers`;
  }
  /** Hash of the number of seats, by consumer, that other work leaves free for this queue. */
  get freeSeats(): string {
    return `${this.prefix}:free`;
  }

  /** Hash of the number of seats, by consumer. */
  get seats(): string {
    return `${this.prefix}:seats`;
  }
  /** Hash of the number of waiting chunks, by level and by flow; the field `` holds the total. */
  get waitingChunks(): string {
    return `${this.prefix}:fq:chunks`;
  }
  get waitingBytes(): string {
    return `${this.prefix}:fq:bytes`;
  }
  /** Hash of the number of bytes of kept results, by level and by flow; the field `` holds the total. */
  get resultBytes(): string {
    return `${this.prefix}:fq:results`;
  }
  /** Hash: claimed chunks by level and flow. */
  get running(): string {
    return `${this.prefix}:fq:run`;
  }
  /** Pub/sub channel for the ids of evaluations whose progress changed. */
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
  /** Recent time in ms that one item of a definition takes. */
  price(digest: string): string {
    return `${this.prefix}:price:${digest}`;
  }
}
