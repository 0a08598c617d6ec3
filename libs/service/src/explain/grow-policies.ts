import type { DocumentSlice, PolicyPrice } from '#evaluation';
import { packItems } from '#runner';
import type { PreparedBatch } from '../judge/prepared-batch.ts';
import type { Engine } from '../ports.ts';

/** Policies whose growth is found out, the dearest. */
const MOST_POLICIES = 10;
/** The longest time for all of them, ms. */
const MOST_MS = 8_000;

/** Adds to the prices of policies how long the lists of their dearest objects may grow, as far as that is found out in time. */
export async function withGrowth(
  engine: Engine,
  { settings, texts }: PreparedBatch,
  prices: readonly PolicyPrice[],
  objects: readonly DocumentSlice[],
  signal?: AbortSignal,
): Promise<readonly PolicyPrice[]> {
  const until = AbortSignal.any([AbortSignal.timeout(MOST_MS), ...(signal ? [signal] : [])]);
  return Promise.all(
    prices.map(async (price, i) => {
      const object = objects[price.dearest.item];
      if (i >= MOST_POLICIES || object === undefined) return price;
      const work = { kind: 'grow', item: packItems([object]), policy: price.policy, settings } as const;
      const answer = await engine.run(work, { definitions: texts, signal: until });
      return answer.kind === 'done' ? { ...price, growth: answer.result } : price;
    }),
  );
}
