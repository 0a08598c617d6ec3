import type { DocumentSlice, PolicyPrice } from '#evaluation';
import { packItems } from '#runner';
import type { PreparedBatch } from '../judge/prepared-batch.ts';
import type { Engine } from '../ports.ts';

/** Highest number of policies for which growth is determined. The policies with the highest cost are chosen. */
const MOST_POLICIES = 10;
/** Longest time in ms for determining the growth of all chosen policies together. */
const MOST_MS = 8_000;

/**
 * Adds growth findings to the prices of policies: how long the lists in a policy's most expensive object may become. Policies whose growth
 * is not determined in time keep their prices unchanged.
 */
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
