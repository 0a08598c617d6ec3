import { StartTags } from './start-tags.ts';
import type { StartTag } from './start-tags.ts';

/**
 * Maximum delay of a child by a correction, in virtual ms. The limit prevents one very large chunk with a low estimate from blocking its
 * flow.
 */
export const DEBT_CAP_MS = 60_000;

/**
 * One node of the tree. Its children share the node's capacity by weight, with start-time fair queuing (Goyal, Vin and Cheng, SIGCOMM
 * 1996). A child that becomes ready starts at `max(V, F)`. The child with the least start tag S is served. Then `V = max(V, S)` and `F = S
 * + cost / weight`; the child's next chunk starts at F. `bullmq/lua/fair-queuing.lua` implements the same in Lua; a property test compares
 * both.
 *
 * A node that `remembers` has levels or flows as children, whose number is fixed. It keeps the finish tags of absent children. Other nodes
 * keep none, because clients choose the names of their children. If a child of such a node leaves, V of the node rises to the child's
 * finish tag. A child therefore gains nothing by returning under a new name.
 */
export class SchedulingNode {
  readonly #remembers: boolean;
  readonly #ready = new StartTags();
  readonly #finish = new Map<string, number>();
  #virtualTime = 0;

  constructor(remembers: boolean) {
    this.#remembers = remembers;
  }

  get empty(): boolean {
    return this.#ready.size === 0;
  }

  /** The child that is served next. */
  get first(): StartTag | undefined {
    return this.#ready.first;
  }

  /** All children with waiting work, in the order in which they are served. */
  get ready(): Iterable<StartTag> {
    return this.#ready;
  }

  /** Records that a child has waiting work. */
  arrive(name: string): void {
    if (this.#ready.start(name) === undefined) this.#ready.set(name, Math.max(this.#virtualTime, this.#finish.get(name) ?? 0));
  }

  /** Serves a ready child with work of the expected cost in ms. `more` is true if the child has more waiting work. */
  serve(name: string, cost: number, weight: number, more: boolean): void {
    const start = this.#ready.start(name) ?? this.#virtualTime;
    const finish = start + cost / weight;
    this.#virtualTime = Math.max(this.#virtualTime, start);
    if (more) return this.#ready.set(name, finish);
    this.#ready.delete(name);
    if (this.#remembers) this.#finish.set(name, finish);
    else this.#virtualTime = Math.max(this.#virtualTime, finish);
  }

  /** A child has nothing waiting any more, without having been served (its evaluation was cancelled). */
  leave(name: string): void {
    const start = this.#ready.delete(name);
    if (start !== undefined && this.#remembers) this.#finish.set(name, start);
  }

  /** Corrects the tag of a child whose work took `delta` ms more than it was charged; `delta` is negative if the work took less. */
  correct(name: string, delta: number, weight: number): void {
    const start = this.#ready.start(name);
    if (start !== undefined) this.#ready.set(name, this.#corrected(start, delta / weight));
    else if (this.#remembers) this.#finish.set(name, this.#corrected(this.#finish.get(name) ?? 0, delta / weight));
  }

  /**
   * Returns a corrected tag. A credit cannot move the tag below V, and a debt cannot move it above V plus the cap. The limits never move a
   * tag against the direction of the correction.
   */
  #corrected(tag: number, by: number): number {
    const now = this.#virtualTime;
    return by < 0 ? Math.max(tag + by, Math.min(tag, now)) : Math.min(tag + by, Math.max(tag, now + DEBT_CAP_MS));
  }
}
