/** Names of everything that lies in Redis; one hash tag, so that scripts may touch several keys of a cluster. */
export class Keys {
  readonly #prefix: string;

  /** `namespace` keeps installations (and tests) that share a server apart. */
  constructor(namespace: string) {
    this.#prefix = `{${namespace}}`;
  }

  /** BullMQ's own keys. */
  get bullmq(): string {
    return `${this.#prefix}:bull`;
  }
  /** Ids of evaluations with waiting chunks, in the order of their turns. */
  get ready(): string {
    return `${this.#prefix}:ready`;
  }
  /** Claimed chunks as `<chunk>|<evaluation>`, by the time their lease ends. */
  get leases(): string {
    return `${this.#prefix}:leases`;
  }
  /** Evaluations that are not over. */
  get living(): string {
    return `${this.#prefix}:living`;
  }
  /** Bytes of chunks that wait. */
  get waitingBytes(): string {
    return `${this.#prefix}:waiting-bytes`;
  }
  /** Channel of ids whose progress changed. */
  get changes(): string {
    return `${this.#prefix}:changes`;
  }
  /** Channel of ids that were cancelled. */
  get cancellations(): string {
    return `${this.#prefix}:cancellations`;
  }
  /** Hash: record, sealed, cancelled, total, done, and the tally's counts. */
  evaluation(id: string): string {
    return `${this.#prefix}:ev:${id}`;
  }
  /** Waiting chunks of an evaluation as `<chunk>|<earlier claims>`. */
  waiting(id: string): string {
    return `${this.#prefix}:wait:${id}`;
  }
  /** Hash: the packed bodies of chunks that are not done, by chunk. */
  bodies(id: string): string {
    return `${this.#prefix}:body:${id}`;
  }
  /** Hash: the packed results, by chunk. */
  results(id: string): string {
    return `${this.#prefix}:res:${id}`;
  }
  definition(digest: string): string {
    return `${this.#prefix}:def:${digest}`;
  }
}
