import { describe, expect, it } from 'vitest';
import { clusterSlot, shardNamespaces, shardOf } from './shard.ts';

describe('shards', () => {
  it('compute slots as Redis Cluster does', () => {
    // The specification's own example; `redis-topologies.spec.ts` asks a cluster.
    expect(['123456789', ''].map(clusterSlot)).toEqual([0x31c3, 0]);
  });

  it.each([2, 3, 6, 64])('of %i, each has a hash tag in its own part of the slots', (shards) => {
    const names = shardNamespaces('assay', shards);
    expect(new Set(names).size).toBe(shards);
    expect(names.map((name) => shardOf(name, shards))).toEqual(names.map((_, shard) => shard));
  });

  it('of one, the namespace is that of an installation without shards', () => {
    expect(shardNamespaces('assay', 1)).toEqual(['assay']);
  });

  it('get about equally many evaluations', () => {
    const ids = Array.from({ length: 3000 }, (_, i) => `0b0f8a60-0000-4000-8000-${String(i).padStart(12, '0')}`);
    for (const shard of [0, 1, 2]) expect(ids.filter((id) => shardOf(id, 3) === shard).length).toBeGreaterThan(800);
  });
});
