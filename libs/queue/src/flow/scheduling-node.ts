import { StartTags } from './start-tags.ts';
import type { StartTag } from './start-tags.ts';

/** The most by which a correction puts a child behind, in virtual ms. One monstrous chunk with a low estimate must not lock its flow out. */
export const DEBT_CAP_MS = 60_000;

/**
 * One node of the tree: its children share what the node gets, by weight, by start-time fair queuing (Goyal, Vin and Cheng, SIGCOMM 1996).
 * A child that becomes ready starts at `max(V, F)`; the least start tag S is served; `V = max(V, S)` and `F = S + cost / weight`, where its
 * next chunk starts. `bullmq/lua/fair-queuing.lua` is the same in Lua; a property test holds both together.
 *
 * A node that `remembers` (children are levels or flows, a fixed number) keeps the finish tags of children that are away. Other nodes keep none,
 * because clients choose the names of their children. When a child leaves, the node's own V takes the tag over. So no child gains by coming back under a
 * new name.
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

  /** A child has waiting work. */
  arrive(name: string): void {
    if (this.#ready.start(name) === undefined) this.#ready.set(name, Math.max(this.#virtualTime, this.#finish.get(name) ?? 0));
  }

  /** A ready child is served with work that is expected to cost so many ms. `more`: it has more waiting. */
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

  /** A child's work took `delta` ms more (or less) than it was charged. */
  correct(name: string, delta: number, weight: number): void {
    const start = this.#ready.start(name);
    if (start !== undefined) this.#ready.set(name, this.#corrected(start, delta / weight));
    else if (this.#remembers) this.#finish.set(name, this.#corrected(this.#finish.get(name) ?? 0, delta / weight));
  }

  /** Credit ends at V, debt at V plus the cap; neither bound moves a tag the other way. */
  #corrected(tag: number, by: number): number {
    const now = this.#virtualTime;
    return by < 0 ? Math.max(tag + by, Math.min(tag, now)) : Math.min(tag + by, Math.max(tag, now + DEBT_CAP_MS));
  }
}
