import { describe, expect, it } from 'vitest';
import { emptyTally } from '#evaluation';
import type { ChunkResult } from '#evaluation';
import type { Claim } from '#queue';
import { UnstoredResults } from './unstored-results.ts';

const claimOf = (lease: string): Claim => ({ lease }) as Claim;
const resultOf = (verdict: string): ChunkResult => ({ verdicts: [verdict], tally: emptyTally(), celCharge: 0, spans: [] });

/** Returns a storage that is full until `makeRoom` is called, and the list of calls that succeeded. */
function fullStorage() {
  const done: string[] = [];
  let full = true;
  const act = (what: string) => async () => {
    if (full) throw new Error('OOM command not allowed');
    done.push(what);
  };
  return {
    done,
    makeRoom: () => (full = false),
    commit: async ({ lease }: Claim, result: ChunkResult) => {
      await act(`commit ${lease} ${result.verdicts[0]}`)();
      return 'stored' as const;
    },
    release: ({ lease }: Claim) => act(`release ${lease}`)(),
  };
}

describe('results that could not be stored', () => {
  it('are stored when there is room, in order; what was too much to keep is given back', async () => {
    const storage = fullStorage();
    const unstored = new UnstoredResults(10);
    unstored.keep(claimOf('a'), resultOf('12345678'), 1);
    unstored.keep(claimOf('b'), resultOf('too much'), 1);
    unstored.keep(claimOf('c'), resultOf('ok'), 1);
    await unstored.retry(storage);
    expect(unstored.claims).toHaveLength(3);
    storage.makeRoom();
    await unstored.retry(storage);
    expect(storage.done).toEqual(['commit a 12345678', 'release b', 'commit c ok']);
    expect(unstored.claims).toEqual([]);
  });

  it("that are somebody else's by now are dropped", async () => {
    const storage = fullStorage();
    const unstored = new UnstoredResults(10);
    const [first, second] = [claimOf('a'), claimOf('b')];
    unstored.keep(first, resultOf('12345678'), 1);
    unstored.drop(first);
    unstored.keep(second, resultOf('12345678'), 1);
    storage.makeRoom();
    await unstored.end(storage);
    expect(storage.done).toEqual(['commit b 12345678']);
  });
});
