import type { ChunkResult, DefinitionText } from '#evaluation';
import type { Claim, QueueAdapter } from './ports.ts';

/** What a consumer needs of an adapter, as one object. */
export interface AdapterSource {
  join(seats: number): Promise<() => Promise<void>>;
  claim(signal: AbortSignal): Promise<Claim | undefined>;
  renew(claims: readonly Claim[]): Promise<readonly boolean[]>;
  commit(claim: Claim, result: ChunkResult, spentMs: number): Promise<unknown>;
  release(claim: Claim): Promise<void>;
  definition(digest: string): Promise<DefinitionText | undefined>;
  onCancelled(listener: (evaluation: string) => void): () => void;
}

/** An adapter's ports as a consumer of chunks sees them. */
export function chunkSource({ work, definitions, cancellations }: QueueAdapter): AdapterSource {
  return {
    join: (seats) => work.join(seats),
    claim: (signal) => work.claim(signal),
    renew: (claims) => work.renew(claims),
    commit: (claim, result, spentMs) => work.commit(claim, result, spentMs),
    release: (claim) => work.release(claim),
    definition: (digest) => definitions.get(digest),
    onCancelled: (listener) => cancellations.onCancelled(listener),
  };
}
