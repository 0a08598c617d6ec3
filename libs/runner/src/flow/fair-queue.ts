import { chunkCost, expectedMs, learnedPrice } from './chunk-cost.ts';
import { SchedulingNode } from './scheduling-node.ts';
import { divisionPath, flowPath } from './flow.ts';
import type { QueueKey } from './flow.ts';
import { LEVEL_WEIGHTS } from './level.ts';
import type { Level } from './level.ts';

/** Size of a queue entry, from which the queue estimates the cost of the entry. */
export interface Sized {
  readonly items: number;
  readonly bytes: number;
}

/** Entry that the fair queue chose as the next one to run, with its cost. */
export interface Picked<T extends Sized> {
  readonly queueKey: QueueKey;
  readonly entry: T;
  /** Time in ms that the flow (the queue of one client) was charged for the entry. */
  readonly cost: number;
  /** Expected time on a thread in ms. Unlike `cost`, it has no lower or upper limit. */
  readonly expectedMs: number;
}

/** Function that returns the maximum number of seats (engine threads) that a flow (`level/flow`) may hold with its next entry. */
type SeatBound<T> = (entry: T, flow: string, itemMs: number) => number;

interface Leaf<T> {
  readonly queueKey: QueueKey;
  readonly waiting: T[];
  /** Expected time of one item, in ms. */
  itemMs: number;
}

/**
 * Fair queue with hierarchical start-time fair queuing. The hierarchy is level → flow (one client) → division (part of a flow that the
 * client names) → evaluation. The chunks (parts) of an evaluation are served in order of arrival. A chunk is chosen only when an engine
 * thread is free ({@link pick}). The cost of a chunk is therefore estimated as late as possible, and an evaluation can be removed in one
 * step. The queue uses no clocks and no timers, so the same calls give the same order.
 */
export class FairQueue<T extends Sized> {
  readonly #nodes = new Map<string, SchedulingNode>();
  /** Evaluations that were added and not yet removed, by leaf (name of the evaluation in its queue key). */
  readonly #leaves = new Map<string, Leaf<T>>();
  readonly #running = new Map<string, number>();

  /** Registers an evaluation, so that its chunks can be added. `itemMs` is the expected time of one item, in ms. */
  add(queueKey: QueueKey, itemMs: number): void {
    this.#leaves.set(queueKey.leaf, { queueKey, waiting: [], itemMs });
  }

  /**
   * Adds a chunk after all waiting chunks of its evaluation. If `as` is `returned`, the chunk was taken back, and it is added before all
   * waiting chunks. Returns false if the evaluation is not registered.
   */
  enqueue(queueKey: QueueKey, entry: T, as: 'new' | 'returned' = 'new'): boolean {
    const leaf = this.#leaves.get(queueKey.leaf);
    if (!leaf) return false;
    if (as === 'returned') leaf.waiting.unshift(entry);
    else leaf.waiting.push(entry);
    this.#node(divisionPath(queueKey), false).arrive(queueKey.leaf);
    this.#node(flowPath(queueKey), false).arrive(queueKey.division);
    this.#node(queueKey.level, true).arrive(queueKey.flow);
    if (queueKey.level !== 'exempt') this.#node('', true).arrive(queueKey.level);
    return true;
  }

  /**
   * Returns the work to run next. Flows that hold `cap` or more seats (engine threads) are skipped while a flow with fewer seats has work.
   * If every flow with work is at `cap`, a flow (`level/flow`) may hold up to `most` seats, so that no seat is idle. `most` gets the next
   * entry of the flow, and the expected time of one item in ms. The level `exempt` has no cap, but `most` may skip it by 0.
   */
  pick(cap: number, most: SeatBound<T> = () => Infinity): Picked<T> | undefined {
    const chosen = this.#choose(cap, most);
    if (!chosen) return undefined;
    const flow = this.#node(flowPath(chosen), false);
    const division = flow.first?.name ?? '';
    const evaluations = this.#node(divisionPath({ ...chosen, division }), false);
    const leaf = this.#leaves.get(evaluations.first?.name ?? '');
    const entry = leaf?.waiting.shift();
    if (!leaf || !entry) throw new Error('a ready evaluation has no chunk');
    const { itemMs } = leaf;
    const cost = chunkCost(itemMs, entry.items, entry.bytes);
    this.#charge(leaf.queueKey, cost, leaf.waiting.length > 0);
    this.#count(leaf.queueKey, 1);
    return { queueKey: leaf.queueKey, entry, cost, expectedMs: expectedMs(itemMs, entry.items, entry.bytes) };
  }

  /**
   * Records that a picked entry is finished and its seat (engine thread) is free. `spentMs` is the time on the seat. `judgedMs` is the time
   * that a thread needed to compute the verdicts on the chunk's items. Both are undefined if unknown.
   */
  finish({ queueKey, entry, cost }: Picked<T>, spentMs: number | undefined, judgedMs?: number): void {
    this.#count(queueKey, -1);
    const leaf = this.#leaves.get(queueKey.leaf);
    if (leaf && judgedMs !== undefined) leaf.itemMs = learnedPrice(leaf.itemMs, entry.items, entry.bytes, judgedMs);
    if (spentMs === undefined) return;
    const delta = spentMs - cost;
    this.#nodes.get(divisionPath(queueKey))?.correct(queueKey.leaf, delta, 1);
    this.#nodes.get(flowPath(queueKey))?.correct(queueKey.division, delta, 1);
    this.#nodes.get(queueKey.level)?.correct(queueKey.flow, delta, queueKey.weight);
    if (queueKey.level !== 'exempt') this.#nodes.get('')?.correct(queueKey.level, delta, LEVEL_WEIGHTS[queueKey.level]);
  }

  /** Removes an evaluation. Returns the chunks that were still waiting. */
  remove(queueKey: QueueKey): readonly T[] {
    const leaf = this.#leaves.get(queueKey.leaf);
    this.#leaves.delete(queueKey.leaf);
    if (leaf && leaf.waiting.length > 0) this.#leave(queueKey);
    return leaf?.waiting ?? [];
  }

  /** Returns the expected time in ms of one item of an evaluation. Returns undefined if the evaluation is not registered. */
  itemMs(queueKey: QueueKey): number | undefined {
    return this.#leaves.get(queueKey.leaf)?.itemMs;
  }

  /** Returns the number of seats (engine threads) that a flow or a whole level holds. `path` is `level/flow` or only the level. */
  running(path: string): number {
    return this.#running.get(path) ?? 0;
  }

  /** True if no work waits. */
  get isEmpty(): boolean {
    return (this.#nodes.get('exempt')?.empty ?? true) && (this.#nodes.get('')?.empty ?? true);
  }

  /**
   * Returns true if waiting work exists in a flow that holds fewer than `cap` seats (engine threads), or in any flow of the level `exempt`.
   */
  waitsBelow(cap: number): boolean {
    return this.#nodes.get('exempt')?.first !== undefined || this.#chooseWithin(() => cap) !== undefined;
  }

  #choose(cap: number, most: SeatBound<T>): { level: Level; flow: string } | undefined {
    const exempt = this.#nodes.get('exempt')?.first;
    if (exempt && this.#boundOf(most, 'exempt', exempt.name) > 0) return { level: 'exempt', flow: exempt.name };
    return this.#chooseWithin(() => cap) ?? this.#chooseWithin(most);
  }

  /** Returns the first flow with waiting work that holds fewer seats (engine threads) than `bound` allows. */
  #chooseWithin(bound: SeatBound<T>): { level: Level; flow: string } | undefined {
    const levels = this.#nodes.get('')?.ready;
    if (!levels) return undefined;
    for (const { name } of levels) {
      const level = name as Level;
      for (const { name: flow } of this.#node(level, true).ready)
        if (this.running(flowPath({ level, flow })) < this.#boundOf(bound, level, flow)) return { level, flow };
    }
    return undefined;
  }

  /** Returns the number of seats (engine threads) that a flow may hold with its next entry. */
  #boundOf(bound: SeatBound<T>, level: Level, flow: string): number {
    const division = this.#nodes.get(flowPath({ level, flow }))?.first?.name ?? '';
    const leaf = this.#nodes.get(divisionPath({ level, flow, division }))?.first?.name ?? '';
    const { waiting: [next] = [], itemMs = 0 } = this.#leaves.get(leaf) ?? {};
    return next === undefined ? 0 : bound(next, flowPath({ level, flow }), itemMs);
  }

  /** Charges `cost` to each node from the evaluation up to the level. Each node also records if its child still has waiting work. */
  #charge(queueKey: QueueKey, cost: number, more: boolean): void {
    const { level, flow, division, leaf, weight } = queueKey;
    const evaluations = this.#node(divisionPath(queueKey), false);
    evaluations.serve(leaf, cost, 1, more);
    const divisions = this.#node(flowPath(queueKey), false);
    divisions.serve(division, cost, 1, !evaluations.empty);
    if (evaluations.empty) this.#nodes.delete(divisionPath(queueKey));
    const flows = this.#node(level, true);
    flows.serve(flow, cost, weight, !divisions.empty);
    if (level !== 'exempt') this.#node('', true).serve(level, cost, LEVEL_WEIGHTS[level], !flows.empty);
  }

  #leave(queueKey: QueueKey): void {
    const { level, flow, division, leaf } = queueKey;
    const evaluations = this.#node(divisionPath(queueKey), false);
    evaluations.leave(leaf);
    if (!evaluations.empty) return;
    this.#nodes.delete(divisionPath(queueKey));
    const divisions = this.#node(flowPath(queueKey), false);
    divisions.leave(division);
    if (!divisions.empty) return;
    const flows = this.#node(level, true);
    flows.leave(flow);
    if (flows.empty && level !== 'exempt') this.#node('', true).leave(level);
  }

  #count(queueKey: QueueKey, by: number): void {
    const path = flowPath(queueKey);
    this.#running.set(path, this.running(path) + by);
    this.#running.set(queueKey.level, this.running(queueKey.level) + by);
  }

  #node(path: string, remembers: boolean): SchedulingNode {
    const known = this.#nodes.get(path);
    if (known) return known;
    const node = new SchedulingNode(remembers);
    this.#nodes.set(path, node);
    return node;
  }
}
