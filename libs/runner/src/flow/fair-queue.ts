import { chunkCost, expectedMs, learnedPrice } from './price-book.ts';
import { divisionPath, flowPath, LEVEL_WEIGHTS } from './flow.ts';
import type { Level, QueueKey } from './flow.ts';

/**
 * Start tag of one child in the tree by which the fair queue chooses the next chunk (part of an evaluation). The tag `start` is the virtual
 * time at which the child's next chunk starts.
 */
interface StartTag {
  readonly name: string;
  readonly start: number;
}

/**
 * Children of a node of the fair queue's tree, sorted by start tag (virtual time at which the child's next chunk starts). Children with
 * equal tags are sorted by the bytes of their names, like the members of a Redis sorted set. All names are ASCII. Finding a position takes
 * O(log n).
 */
class StartTags {
  readonly #ordered: StartTag[] = [];
  readonly #starts = new Map<string, number>();

  get size(): number {
    return this.#ordered.length;
  }

  get first(): StartTag | undefined {
    return this.#ordered[0];
  }

  /** Iterates over all children, with the least start tag first. */
  [Symbol.iterator](): IterableIterator<StartTag> {
    return this.#ordered.values();
  }

  start(name: string): number | undefined {
    return this.#starts.get(name);
  }

  /** Adds a child with a start tag, or changes the start tag of an existing child. */
  set(name: string, start: number): void {
    this.delete(name);
    this.#starts.set(name, start);
    this.#ordered.splice(this.#position(name, start), 0, { name, start });
  }

  /** Removes a child. Returns its start tag, or undefined if the child is unknown. */
  delete(name: string): number | undefined {
    const start = this.#starts.get(name);
    if (start === undefined) return undefined;
    this.#starts.delete(name);
    this.#ordered.splice(this.#position(name, start), 1);
    return start;
  }

  /** Returns the index of a child with this name and start tag, or the index at which the child must be inserted. */
  #position(name: string, start: number): number {
    let [low, high] = [0, this.#ordered.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const tag = this.#ordered[middle];
      if (tag && (tag.start < start || (tag.start === start && tag.name < name))) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

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
 * A node with `keepsTags` keeps the finish tags of children that have left. Its children are levels or flows, and their number is fixed.
 * All other nodes keep no such tags, because clients choose the names of the children, so their number is not limited. If a child of such a
 * node leaves, V of the node rises to the child's finish tag. A child therefore gains nothing by returning under a new name.
 */
class SchedulingNode {
  readonly #remembers: boolean;
  readonly #ready = new StartTags();
  readonly #finish = new Map<string, number>();
  #virtualTime = 0;

  constructor(memory: 'keepsTags' | 'dropsTags') {
    this.#remembers = memory === 'keepsTags';
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
   * Returns the start tag `tag` plus the correction `by`. If the work took less time than was charged (`by` < 0), the tag falls at most to
   * the virtual time. If the work took more, the tag rises at most to the virtual time plus {@link DEBT_CAP_MS}. A tag that is already
   * beyond its limit stays unchanged.
   */
  #corrected(tag: number, by: number): number {
    const now = this.#virtualTime;
    return by < 0 ? Math.max(tag + by, Math.min(tag, now)) : Math.min(tag + by, Math.max(tag, now + DEBT_CAP_MS));
  }
}

/** Size of a queue entry, from which the queue estimates the cost of the entry. */
export interface SizedEntry {
  readonly items: number;
  readonly bytes: number;
}

/** Entry that the fair queue chose as the next one to run, with its cost. */
export interface PickedEntry<T extends SizedEntry> {
  readonly queueKey: QueueKey;
  readonly entry: T;
  /** Time in ms that the flow was charged for the entry. */
  readonly cost: number;
  /** Expected time on a thread in ms. Unlike `cost`, it has no lower or upper limit. */
  readonly expectedMs: number;
}

/** Function that returns the maximum number of engine threads that a flow (`level/flow`) may hold with its next entry. */
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
export class FairQueue<T extends SizedEntry> {
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
    this.#node(divisionPath(queueKey), 'dropsTags').arrive(queueKey.leaf);
    this.#node(flowPath(queueKey), 'dropsTags').arrive(queueKey.division);
    this.#node(queueKey.level, 'keepsTags').arrive(queueKey.flow);
    if (queueKey.level !== 'exempt') this.#node('', 'keepsTags').arrive(queueKey.level);
    return true;
  }

  /**
   * Returns the work to run next. Flows that hold `cap` or more engine threads are skipped while a flow with fewer threads has work. If
   * every flow with work is at `cap`, a flow (`level/flow`) may hold up to `most` threads, so that no thread is idle. `most` gets the next
   * entry of the flow, and the expected time of one item in ms. The level `exempt` has no cap, but `most` may skip it by 0. Returns
   * undefined if no work may run.
   */
  pick(cap: number, most: SeatBound<T> = () => Infinity): PickedEntry<T> | undefined {
    const chosen = this.#choose(cap, most);
    if (!chosen) return undefined;
    const flow = this.#node(flowPath(chosen), 'dropsTags');
    const division = flow.first?.name ?? '';
    const evaluations = this.#node(divisionPath({ ...chosen, division }), 'dropsTags');
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
   * Records that a picked entry is finished and its engine thread is free. `spentMs` is the time on the thread. `judgedMs` is the time that
   * a thread needed to compute the verdicts on the chunk's items. Both are undefined if unknown.
   */
  finish({ queueKey, entry, cost }: PickedEntry<T>, spentMs: number | undefined, judgedMs?: number): void {
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

  /** Returns the number of engine threads that a flow or a whole level holds. `path` is `level/flow` or only the level. */
  running(path: string): number {
    return this.#running.get(path) ?? 0;
  }

  /** True if no work waits. */
  get isEmpty(): boolean {
    return (this.#nodes.get('exempt')?.empty ?? true) && (this.#nodes.get('')?.empty ?? true);
  }

  /** Returns true if waiting work exists in a flow that holds fewer than `cap` engine threads, or in any flow of the level `exempt`. */
  waitsBelow(cap: number): boolean {
    return this.#nodes.get('exempt')?.first !== undefined || this.#chooseWithin(() => cap) !== undefined;
  }

  #choose(cap: number, most: SeatBound<T>): { level: Level; flow: string } | undefined {
    const exempt = this.#nodes.get('exempt')?.first;
    if (exempt && this.#boundOf(most, 'exempt', exempt.name) > 0) return { level: 'exempt', flow: exempt.name };
    return this.#chooseWithin(() => cap) ?? this.#chooseWithin(most);
  }

  /** Returns the first flow with waiting work that holds fewer engine threads than `bound` allows; undefined if there is none. */
  #chooseWithin(bound: SeatBound<T>): { level: Level; flow: string } | undefined {
    const levels = this.#nodes.get('')?.ready;
    if (!levels) return undefined;
    for (const { name } of levels) {
      const level = name as Level;
      for (const { name: flow } of this.#node(level, 'keepsTags').ready)
        if (this.running(flowPath({ level, flow })) < this.#boundOf(bound, level, flow)) return { level, flow };
    }
    return undefined;
  }

  /** Returns the number of engine threads that a flow may hold with its next entry. */
  #boundOf(bound: SeatBound<T>, level: Level, flow: string): number {
    const division = this.#nodes.get(flowPath({ level, flow }))?.first?.name ?? '';
    const leaf = this.#nodes.get(divisionPath({ level, flow, division }))?.first?.name ?? '';
    const { waiting: [next] = [], itemMs = 0 } = this.#leaves.get(leaf) ?? {};
    return next === undefined ? 0 : bound(next, flowPath({ level, flow }), itemMs);
  }

  /** Charges `cost` to each node from the evaluation up to the level. Each node also records if its child still has waiting work. */
  #charge(queueKey: QueueKey, cost: number, more: boolean): void {
    const { level, flow, division, leaf, weight } = queueKey;
    const evaluations = this.#node(divisionPath(queueKey), 'dropsTags');
    evaluations.serve(leaf, cost, 1, more);
    const divisions = this.#node(flowPath(queueKey), 'dropsTags');
    divisions.serve(division, cost, 1, !evaluations.empty);
    if (evaluations.empty) this.#nodes.delete(divisionPath(queueKey));
    const flows = this.#node(level, 'keepsTags');
    flows.serve(flow, cost, weight, !divisions.empty);
    if (level !== 'exempt') this.#node('', 'keepsTags').serve(level, cost, LEVEL_WEIGHTS[level], !flows.empty);
  }

  #leave(queueKey: QueueKey): void {
    const { level, flow, division, leaf } = queueKey;
    const evaluations = this.#node(divisionPath(queueKey), 'dropsTags');
    evaluations.leave(leaf);
    if (!evaluations.empty) return;
    this.#nodes.delete(divisionPath(queueKey));
    const divisions = this.#node(flowPath(queueKey), 'dropsTags');
    divisions.leave(division);
    if (!divisions.empty) return;
    const flows = this.#node(level, 'keepsTags');
    flows.leave(flow);
    if (flows.empty && level !== 'exempt') this.#node('', 'keepsTags').leave(level);
  }

  #count(queueKey: QueueKey, by: number): void {
    const path = flowPath(queueKey);
    this.#running.set(path, this.running(path) + by);
    this.#running.set(queueKey.level, this.running(queueKey.level) + by);
  }

  #node(path: string, memory: 'keepsTags' | 'dropsTags'): SchedulingNode {
    const known = this.#nodes.get(path);
    if (known) return known;
    const node = new SchedulingNode(memory);
    this.#nodes.set(path, node);
    return node;
  }
}
