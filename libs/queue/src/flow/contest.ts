import { StartTags } from './start-tags.ts';
import type { StartTag } from './start-tags.ts';

/**
 * How far a correction may put a contender behind, in virtual ms: one monstrous chunk that was thought small must not lock its flow out.
 */
export const DEBT_CAP_MS = 60_000;

/**
 * One node of the tree: contenders share what the node gets, by weight, by start-time fair queuing (Goyal, Vin and Cheng, SIGCOMM 1996).
 * A contender that becomes ready starts at `max(V, F)`; the least start tag S is served; `V = max(V, S)` and `F = S + cost / weight`,
 * where its next chunk starts. Lua says the same in `bullmq/scripts/fair-queuing.ts`; a property test holds both together.
 *
 * Contenders that are `remembered` (levels and flows, a fixed number) keep their finish tag while they are away. Of the others, whose
 * names are anybody's choice, none is kept: the node's own V takes the tag over when they leave, so that nobody gains by coming back
 * under a new name.
 */
export class Contest {
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

  /** Who is next. */
  get first(): StartTag | undefined {
    return this.#ready.first;
  }

  /** Everyone who is ready, in order. */
  get ready(): Iterable<StartTag> {
    return this.#ready;
  }

  /** A contender has something waiting. */
  arrive(name: string): void {
    if (this.#ready.start(name) === undefined) this.#ready.set(name, Math.max(this.#virtualTime, this.#finish.get(name) ?? 0));
  }

  /** A ready contender's chunk was taken. `more`: it has another one. */
  serve(name: string, cost: number, weight: number, more: boolean): void {
    const start = this.#ready.start(name) ?? this.#virtualTime;
    const finish = start + cost / weight;
    this.#virtualTime = Math.max(this.#virtualTime, start);
    if (more) return this.#ready.set(name, finish);
    this.#ready.delete(name);
    if (this.#remembers) this.#finish.set(name, finish);
    else this.#virtualTime = Math.max(this.#virtualTime, finish);
  }

  /** A contender has nothing waiting any more, without having been served (its evaluation was cancelled). */
  leave(name: string): void {
    const start = this.#ready.delete(name);
    if (start !== undefined && this.#remembers) this.#finish.set(name, start);
  }

  /** A chunk took `delta` ms more (or less) than it was charged with. */
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
