import { StartTags } from './start-tags.ts';
import type { StartTag } from './start-tags.ts';

/**
 * Maximum delay of a queue in the fair scheduler, after a chunk took longer than estimated. It is measured in ms of the
 * scheduler's virtual time. The delay raises the start tag of the queue's next chunk. The limit prevents a very large chunk with a low
 * estimate from blocking the queue for long.
 */
const DEBT_CAP_MS = 60_000;

/**
 * One node of the scheduling tree. Its children share the node's capacity by weight, with start-time fair queuing (Goyal, Vin and Cheng,
 * SIGCOMM 1996). The node has a virtual time V, and each child has a finish tag F. A child that becomes ready gets the start tag `max(V,
 * F)`. The child with the least start tag S is served. Then `V = max(V, S)` and `F = S + cost / weight`; the child's next chunk starts at
 * F.
 *
 * A node with `remembers` keeps the finish tags of children that have left. Its children are levels or flows, and their number is fixed.
 * All other nodes keep no such tags, because clients choose the names of the children, so their number is not limited. If a child of such a
 * node leaves, V of the node rises to the child's finish tag. A child therefore gains nothing by returning under a new name.
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

  /** Start tag of the child that is served next. Undefined if no child has waiting work. */
  get first(): StartTag | undefined {
    return this.#ready.first;
  }

  /** Start tags of all children with waiting work, in the order in which the children are served. */
  get ready(): Iterable<StartTag> {
    return this.#ready;
  }

  /** Records that a child has waiting work. */
  arrive(name: string): void {
    if (this.#ready.start(name) === undefined) this.#ready.set(name, Math.max(this.#virtualTime, this.#finish.get(name) ?? 0));
  }

  /**
   * Serves a ready child with work of the expected cost in ms: advances the virtual time and the child's tag. `more` is true if the child
   * still has waiting work afterwards.
   */
  serve(name: string, cost: number, weight: number, more: boolean): void {
    const start = this.#ready.start(name) ?? this.#virtualTime;
    const finish = start + cost / weight;
    this.#virtualTime = Math.max(this.#virtualTime, start);
    if (more) return this.#ready.set(name, finish);
    this.#ready.delete(name);
    if (this.#remembers) this.#finish.set(name, finish);
    else this.#virtualTime = Math.max(this.#virtualTime, finish);
  }

  /** Records that a child has no waiting work any more although it was not served, because its evaluation was cancelled. */
  leave(name: string): void {
    const start = this.#ready.delete(name);
    if (start !== undefined && this.#remembers) this.#finish.set(name, start);
  }

  /** Corrects the tag of a child. `delta` is the measured time of the child's work minus the charged time, in ms. */
  correct(name: string, delta: number, weight: number): void {
    const start = this.#ready.start(name);
    if (start !== undefined) this.#ready.set(name, this.#corrected(start, delta / weight));
    else if (this.#remembers) this.#finish.set(name, this.#corrected(this.#finish.get(name) ?? 0, delta / weight));
  }

  /**
   * Returns a corrected tag. A credit cannot lower the tag below the node's virtual time V. A debt cannot raise the tag above V plus {@link
   * DEBT_CAP_MS}. The limits never move a tag against the direction of the correction.
   */
  #corrected(tag: number, by: number): number {
    const now = this.#virtualTime;
    return by < 0 ? Math.max(tag + by, Math.min(tag, now)) : Math.min(tag + by, Math.max(tag, now + DEBT_CAP_MS));
  }
}
