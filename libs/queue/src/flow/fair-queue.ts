import { chunkCost, learnedPrice } from './chunk-cost.ts';
import { SchedulingNode } from './scheduling-node.ts';
import { divisionPath, flowPath } from './flow.ts';
import type { Place } from './flow.ts';
import { LEVEL_WEIGHTS } from './level.ts';
import type { Level } from './level.ts';

/** What the queue needs to know of a waiting chunk. */
export interface Sized {
  readonly items: number;
  readonly bytes: number;
}

/** A chunk that was chosen, and what its flow was charged for it, ms. */
export interface Picked<T extends Sized> {
  readonly place: Place;
  readonly entry: T;
  readonly cost: number;
}

interface Leaf<T> {
  readonly place: Place;
  readonly waiting: T[];
  /** Expected ms of an item. */
  itemMs: number;
}

/**
 * Hierarchical start-time fair queuing: level → flow → division → evaluation, whose chunks are first come, first served. Nothing is
 * decided before a seat is free ({@link pick}), so a chunk's cost is guessed as late as can be, and dropping an evaluation is one step.
 * No clocks, no timers: the same calls give the same order.
 */
export class FairQueue<T extends Sized> {
  readonly #nodes = new Map<string, SchedulingNode>();
  /** Evaluations from {@link add} to {@link remove}, by leaf. */
  readonly #leaves = new Map<string, Leaf<T>>();
  readonly #running = new Map<string, number>();

  /** Makes an evaluation known. */
  add(place: Place, itemMs: number): void {
    this.#leaves.set(place.leaf, { place, waiting: [], itemMs });
  }

  /** Adds a chunk behind the evaluation's others, or before them when it comes back. */
  enqueue(place: Place, entry: T, back = false): void {
    const leaf = this.#leaves.get(place.leaf);
    if (!leaf) return;
    if (back) leaf.waiting.unshift(entry);
    else leaf.waiting.push(entry);
    this.#node(divisionPath(place), false).arrive(place.leaf);
    this.#node(flowPath(place), false).arrive(place.division);
    this.#node(place.level, true).arrive(place.flow);
    if (place.level !== 'exempt') this.#node('', true).arrive(place.level);
  }

  /**
   * The work to run next. A flow that holds `cap` seats already is passed over while there are others below their cap; when there are
   * none, seats are not left idle: it may hold up to `most` of its next piece of work. `exempt` has no cap.
   */
  pick(cap: number, most: (entry: T) => number = () => Infinity): Picked<T> | undefined {
    const chosen = this.#choose(cap, most);
    if (!chosen) return undefined;
    const flow = this.#node(flowPath(chosen), false);
    const division = flow.first?.name ?? '';
    const evaluations = this.#node(divisionPath({ ...chosen, division }), false);
    const leaf = this.#leaves.get(evaluations.first?.name ?? '');
    const entry = leaf?.waiting.shift();
    if (!leaf || !entry) throw new Error('a ready evaluation has no chunk');
    const cost = chunkCost(leaf.itemMs, entry.items, entry.bytes);
    this.#charge(leaf.place, cost, leaf.waiting.length > 0);
    this.#count(leaf.place, 1);
    return { place: leaf.place, entry, cost };
  }

  /** A seat is free again. `spentMs`: what the chunk took of it, `judgedMs`: what its items took; undefined when nobody knows. */
  finish({ place, entry, cost }: Picked<T>, spentMs: number | undefined, judgedMs?: number): void {
    this.#count(place, -1);
    const leaf = this.#leaves.get(place.leaf);
    if (leaf && judgedMs !== undefined) leaf.itemMs = learnedPrice(leaf.itemMs, entry.items, entry.bytes, judgedMs);
    if (spentMs === undefined) return;
    const delta = spentMs - cost;
    this.#nodes.get(divisionPath(place))?.correct(place.leaf, delta, 1);
    this.#nodes.get(flowPath(place))?.correct(place.division, delta, 1);
    this.#nodes.get(place.level)?.correct(place.flow, delta, place.weight);
    if (place.level !== 'exempt') this.#nodes.get('')?.correct(place.level, delta, LEVEL_WEIGHTS[place.level]);
  }

  /** Forgets an evaluation; returns what waited. */
  remove(place: Place): readonly T[] {
    const leaf = this.#leaves.get(place.leaf);
    this.#leaves.delete(place.leaf);
    if (leaf && leaf.waiting.length > 0) this.#leave(place);
    return leaf?.waiting ?? [];
  }

  /** Expected ms of an item of an evaluation. */
  itemMs(place: Place): number | undefined {
    return this.#leaves.get(place.leaf)?.itemMs;
  }

  /** Seats that a flow, or a whole level, holds. */
  running(path: string): number {
    return this.#running.get(path) ?? 0;
  }

  #choose(cap: number, most: (entry: T) => number): { level: Level; flow: string } | undefined {
    const exempt = this.#nodes.get('exempt')?.first;
    if (exempt) return { level: 'exempt', flow: exempt.name };
    const levels = [...(this.#nodes.get('')?.ready ?? [])].map(({ name }) => name as Level);
    for (const bound of [() => cap, most])
      for (const level of levels)
        for (const { name: flow } of this.#node(level, true).ready) {
          const next = this.#next(level, flow);
          if (next !== undefined && this.running(flowPath({ level, flow })) < bound(next)) return { level, flow };
        }
    return undefined;
  }

  /** What a flow would be given next. */
  #next(level: Level, flow: string): T | undefined {
    const division = this.#nodes.get(flowPath({ level, flow }))?.first?.name ?? '';
    const leaf = this.#nodes.get(divisionPath({ level, flow, division }))?.first?.name ?? '';
    return this.#leaves.get(leaf)?.waiting[0];
  }

  /** From the evaluation up: each node is charged, and learns whether there is more below. */
  #charge(place: Place, cost: number, more: boolean): void {
    const { level, flow, division, leaf, weight } = place;
    const evaluations = this.#node(divisionPath(place), false);
    evaluations.serve(leaf, cost, 1, more);
    const divisions = this.#node(flowPath(place), false);
    divisions.serve(division, cost, 1, !evaluations.empty);
    if (evaluations.empty) this.#nodes.delete(divisionPath(place));
    const flows = this.#node(level, true);
    flows.serve(flow, cost, weight, !divisions.empty);
    if (level !== 'exempt') this.#node('', true).serve(level, cost, LEVEL_WEIGHTS[level], !flows.empty);
  }

  #leave(place: Place): void {
    const { level, flow, division, leaf } = place;
    const evaluations = this.#node(divisionPath(place), false);
    evaluations.leave(leaf);
    if (!evaluations.empty) return;
    this.#nodes.delete(divisionPath(place));
    const divisions = this.#node(flowPath(place), false);
    divisions.leave(division);
    if (!divisions.empty) return;
    const flows = this.#node(level, true);
    flows.leave(flow);
    if (flows.empty && level !== 'exempt') this.#node('', true).leave(level);
  }

  #count(place: Place, by: number): void {
    for (const path of [flowPath(place), place.level]) this.#running.set(path, this.running(path) + by);
  }

  #node(path: string, remembers: boolean): SchedulingNode {
    const known = this.#nodes.get(path);
    if (known) return known;
    const node = new SchedulingNode(remembers);
    this.#nodes.set(path, node);
    return node;
  }
}
