/** Slots of a Redis Cluster. */
const SLOTS = 16_384;

/** The slot of a text, as Redis Cluster computes it for a hash tag: CRC16 (XMODEM), modulo the number of slots. Source: the cluster specification. */
export function clusterSlot(text: string): number {
  let crc = 0;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc % SLOTS;
}

/** Which of so many shards a name (an evaluation's id, a definition's digest) belongs to: that in whose part of the slots its own slot lies. */
export const shardOf = (name: string, shards: number): number => Math.floor((clusterSlot(name) * shards) / SLOTS);

/**
 * The namespace of each shard: a queue of its own whose keys have one hash tag. Slots of these tags lie in the middle halves of equal parts, so that
 * masters with equal ranges, as `redis-cli --cluster create` deals them out, have equally many shards where their number is a multiple of the masters'.
 * A single shard is the namespace itself.
 */
export function shardNamespaces(namespace: string, shards: number): readonly string[] {
  return shards === 1 ? [namespace] : Array.from({ length: shards }, (_, shard) => namespaceIn(namespace, shard, shards));
}

function namespaceIn(namespace: string, shard: number, shards: number): string {
  for (let n = 0; ; n++) {
    const name = `${namespace}/${n}`;
    const place = (clusterSlot(name) * shards) / SLOTS - shard;
    if (place >= 0.25 && place < 0.75) return name;
  }
}
