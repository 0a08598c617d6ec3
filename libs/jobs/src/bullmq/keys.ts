import type { JobKind, Line } from '../life/job-kind.ts';

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
  /** Key of the hash from consumer to the number of its engine threads that other work leaves free for this queue. */
  get freeSeats(): string {
    return `${this.prefix}:free`;
  }
  /** Key of the hash from consumer to its number of engine threads. */
  get seats(): string {
    return `${this.prefix}:seats`;
  }
  /** Key of the sorted set of jobs that a process must add to BullMQ, by the time at which a script last named the job. */
  get namedJobs(): string {
    return `${this.prefix}:line:named`;
  }
  /** Name of the pub/sub channel for the ids of jobs whose progress changed. */
  get changes(): string {
    return `${this.prefix}:changes`;
  }
  /** Name of the pub/sub channel for the ids of jobs that were cancelled. */
  get cancellations(): string {
    return `${this.prefix}:cancellations`;
  }
  /** Name of the pub/sub channel for the lines that get jobs. */
  get lines(): string {
    return `${this.prefix}:lines`;
  }
  /** Prefix of the keys and channels of offered tasks, and name of the channel on which processes announce offers. */
  get offers(): string {
    return `${this.prefix}:offers`;
  }
  /** Name of the channel on which a process announces that it does not wait for an offered task any more. */
  get stoppedOffers(): string {
    return `${this.prefix}:offers:stopped`;
  }
  /**
   * Returns the key of a hash with counts for each line and each flow. The field with the empty name contains the total of all evaluations.
   * The counts are living jobs, parts without a result and their bytes, and bytes of stored results.
   */
  load(what: 'jobs' | 'parts' | 'bytes' | 'results'): string {
    return `${this.prefix}:load:${what}`;
  }
  /** Returns the key of the hash with the state, counts and record of a job. */
  job(id: string): string {
    return `${this.prefix}:ev:${id}`;
  }
  /** Returns the key of the hash from part to its packed items, for one job. */
  bodies(id: string): string {
    return `${this.prefix}:body:${id}`;
  }
  /** Returns the key of the hash from part to its packed result, for one job. */
  results(id: string): string {
    return `${this.prefix}:res:${id}`;
  }
  /** Returns the key of the sorted set with the stored jobs of a kind, by the time at which they were added. */
  index(kind: JobKind<never>['name']): string {
    return `${this.prefix}:index:${kind}`;
  }
  /** Returns the key of the hash from client to thread time in ms, for one day. */
  threadTime(day: string): string {
    return `${this.prefix}:thread-time:${day}`;
  }
  /** Returns BullMQ's key with this name, of the queue with the jobs of a line. */
  bullJobs(line: Line, name: string): string {
    return `${this.bullmq}:jobs-${line}:${name}`;
  }
  definition(digest: string): string {
    return `${this.prefix}:def:${digest}`;
  }
  /** Returns the key of the average time in ms that one item of a definition took recently. */
  price(digest: string): string {
    return `${this.prefix}:price:${digest}`;
  }
}
