/** Names of what lies in Redis and is read outside scripts; one hash tag, so that scripts may touch several keys of a cluster (`scripts/fair-queuing.ts` names the rest). */
export class Keys {
  /** The hash tag, from which scripts make all names. */
  readonly prefix: string;

  /** `namespace` keeps installations (and tests) that share a server apart. */
  constructor(namespace: string) {
    this.prefix = `{${namespace}}`;
  }

  /** BullMQ's own keys. */
  get bullmq(): string {
    return `${this.prefix}:bull`;
  }
  /** Sorted set: leases by the time they end (epoch ms of the server's clock). */
  get leases(): string {
    return `${this.prefix}:leases`;
  }
  /** Sorted set: consumers as `<name>|<seats>`, by the time at which they count as gone. */
  get consumers(): string {
    return `${this.prefix}:consumers`;
  }
  /** Hash: waiting chunks by level, flow, and `` in all. */
  get waitingChunks(): string {
    return `${this.prefix}:fq:chunks`;
  }
  get waitingBytes(): string {
    return `${this.prefix}:fq:bytes`;
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
  /** Hash: record, sealed, cancelled, failed, total, done, claimed, next, deadline, flowBytes, itemMs, definition, celSpent, finisher (what ended it, where nobody waits for it), and the tally's counts. */
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
