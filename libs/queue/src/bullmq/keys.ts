/**
 * Names of the Redis keys that are used outside scripts. All names share one hash tag, so that a script may access several keys in Redis
 * Cluster. `lua/include/keys.lua` lists all keys with their types.
 */
export class Keys {
  /** Hash tag with which all key names begin. Scripts derive all other names from this hash tag. */
  readonly prefix: string;

  /** `namespace` separates the keys of installations and tests that share a server. */
  constructor(namespace: string) {
    this.prefix = `{${namespace}}`;
  }

  /** Prefix of the keys that BullMQ manages. */
  get bullmq(): string {
    return `${this.prefix}:bull`;
  }
  /** Key of the sorted set of leases, with the time at which each lease ends (epoch ms of the server's clock). */
  get leases(): string {
    return `${this.prefix}:leases`;
  }
  /** Key of the hash from consumer to the number of its seats (engine threads) that other work leaves free for this queue. */
  get freeSeats(): string {
    return `${this.prefix}:free`;
  }

  /** Key of the hash from consumer to its number of seats (engine threads). */
  get seats(): string {
    return `${this.prefix}:seats`;
  }
  /**
   * Key of the hash with the number of waiting chunks of each priority level and of each flow (queue of one client). The field with the
   * empty name contains the total.
   */
  get waitingChunks(): string {
    return `${this.prefix}:fq:chunks`;
  }
  get waitingBytes(): string {
    return `${this.prefix}:fq:bytes`;
  }
  /**
   * Key of the hash with the number of bytes of stored results for each priority level and each flow (queue of one client). The field with
   * the empty name contains the total.
   */
  get resultBytes(): string {
    return `${this.prefix}:fq:results`;
  }
  /**
   * Key of the hash with the number of claimed chunks of each priority level and of each flow (queue of one client). The field with the
   * empty name contains the total.
   */
  get running(): string {
    return `${this.prefix}:fq:run`;
  }
  /** Name of the pub/sub channel for the ids of evaluations whose progress changed. */
  get changes(): string {
    return `${this.prefix}:changes`;
  }
  /** Name of the pub/sub channel for the ids of evaluations that were cancelled. */
  get cancellations(): string {
    return `${this.prefix}:cancellations`;
  }
  /** Prefix of the keys and channels of offered tasks, and name of the channel on which processes announce offers. */
  get offers(): string {
    return `${this.prefix}:offers`;
  }
  /** Name of the channel on which a process announces that it does not wait for an offered task any more. */
  get stoppedOffers(): string {
    return `${this.prefix}:offers:stopped`;
  }
  /** Returns the key of the hash with the state, counts and record of an evaluation. */
  evaluation(id: string): string {
    return `${this.prefix}:ev:${id}`;
  }
  /** Returns the key of the hash from chunk to its packed result, for one evaluation. */
  results(id: string): string {
    return `${this.prefix}:res:${id}`;
  }
  definition(digest: string): string {
    return `${this.prefix}:def:${digest}`;
  }
  /** Returns the key of the average time in ms that one item of a definition took recently. */
  price(digest: string): string {
    return `${this.prefix}:price:${digest}`;
  }
}
