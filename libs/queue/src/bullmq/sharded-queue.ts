import { DEFAULT_QUEUE_LIMITS } from '../limits.ts';
import type {
  CancellationChannel,
  DefinitionStore,
  EndedEvaluation,
  EvaluationEnds,
  PriceStore,
  QueueAdapter,
  ResultStore,
  TokenGrant,
  TokenRequest,
  TokenStore,
} from '../ports.ts';
import { RedisConnections } from './connections.ts';
import type { RedisAddress } from './redis-address.ts';
import { RedisDefinitions } from './redis-definitions.ts';
import { RedisQueue } from './redis-queue.ts';
import type { RedisQueueOptions } from './redis-queue.ts';
import { shardNamespaces, shardOf } from './shard.ts';
import { ShardedWork } from './sharded-work.ts';

/**
 * Several queues over one Redis Cluster that together are one. Each is a shard: its keys have a hash tag of their own, so that one script of it still
 * decides over all it has, and shards lie on different masters. An evaluation lies in one shard, by its id; so does a definition, by its digest.
 * Order, limits and shares of flows hold within a shard.
 */
export class ShardedQueue implements QueueAdapter {
  readonly work: ShardedWork;
  readonly results: ResultStore;
  readonly cancellations: CancellationChannel;
  readonly ends: EvaluationEnds;
  readonly definitions: DefinitionStore;
  readonly tokens: TokenStore;
  readonly prices: PriceStore;
  readonly #shards: readonly RedisQueue[];
  readonly #connections: RedisConnections;

  constructor(address: RedisAddress, shards: number, options: RedisQueueOptions = {}) {
    const { namespace = 'assay', limits = DEFAULT_QUEUE_LIMITS, tell } = options;
    const connections = new RedisConnections(address, tell);
    this.#connections = connections;
    this.#shards = shardNamespaces(namespace, shards).map((name) => new RedisQueue(address, { ...options, namespace: name, connections }));
    const holding = (name: string): RedisQueue => {
      const shard = this.#shards[shardOf(name, shards)];
      if (!shard) throw new RangeError(`there are ${shards} shards`);
      return shard;
    };
    this.work = new ShardedWork(this.#shards, holding);
    this.results = {
      list: async (most) => (await Promise.all(this.#shards.map(({ results }) => results.list(most)))).flat().slice(0, most),
      record: (id) => holding(id).results.record(id),
      progress: (id) => holding(id).results.progress(id),
      result: (id, chunk, signal) => holding(id).results.result(id, chunk, signal),
      changed: (id, signal) => holding(id).results.changed(id, signal),
      discard: (id, chunk) => holding(id).results.discard(id, chunk),
      forget: (id) => holding(id).results.forget(id),
    };
    this.cancellations = {
      cancel: (id) => holding(id).cancellations.cancel(id),
      onCancelled: (listener) => everywhere(this.#shards.map(({ cancellations }) => cancellations.onCancelled(listener))),
    };
    this.ends = {
      onEnded: (listener: (ended: EndedEvaluation) => void) => everywhere(this.#shards.map(({ ends }) => ends.onEnded(listener))),
    };
    // Each shard learns from its own evaluations, and none is asked for all: the first one answers for those that clients wait for.
    this.prices = { exchange: (news) => holding('prices').prices.exchange(news) };
    this.tokens = { take: (requests) => takeEach(requests, (name) => holding(name).tokens) };
    this.definitions = new RedisDefinitions(limits, (digest) => holding(digest).store);
  }

  /** Fails where one shard takes nothing: of all evaluations its part would be refused. */
  async probe(): Promise<void> {
    await Promise.all(this.#shards.map((shard) => shard.probe()));
  }

  async close(): Promise<void> {
    this.work.close();
    await Promise.all(this.#shards.map((shard) => shard.leave()));
    this.#connections.close();
  }
}

/** Stops listening everywhere. */
const everywhere =
  (stops: readonly (() => void)[]): (() => void) =>
  () =>
    stops.forEach((stop) => stop());

/** Takes tokens of each rate from the shard that holds it. */
async function takeEach(requests: readonly TokenRequest[], holding: (name: string) => TokenStore): Promise<readonly TokenGrant[]> {
  const grants = await Promise.all(requests.map((request) => holding(request.name).take([request])));
  return grants.flat();
}
