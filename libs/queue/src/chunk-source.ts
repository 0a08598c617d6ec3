import type { ChunkResult, DefinitionText } from '#evaluation';
import type { Claim, QueueAdapter } from './ports.ts';

/** What a consumer needs of an adapter, as one object. */
export interface AdapterSource {
  claim(signal: AbortSignal): Promise<Claim | undefined>;
  commit(claim: Claim, result: ChunkResult): Promise<unknown>;
  release(claim: Claim): Promise<void>;
  definition(digest: string): Promise<DefinitionText | undefined>;
  onCancelled(listener: (evaluation: string) => void): () => void;
}

/** An adapter's ports as a consumer of chunks sees them. */
export function chunkSource({ work, definitions, cancellations }: QueueAdapter): AdapterSource {
  return {
    claim: (signal) => work.claim(signal),
    commit: (claim, result) => work.commit(claim, result),
    release: (claim) => work.release(claim),
    definition: (digest) => definitions.get(digest),
    onCancelled: (listener) => cancellations.onCancelled(listener),
  };
}
