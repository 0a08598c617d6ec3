import type { DocumentSlice, PolicyPrice } from '#documents';
import { packItems } from '#runner';
import type { PreparedBatch } from '../judge/prepared-batch.ts';
import type { Engine } from '../ports.ts';

/**
 * Maximum number of policies for which the possible growth of an object's lists (how long they may become within the cost limits) is
 * determined. Policies with the highest cost are chosen.
 */
const MAX_POLICIES = 10;
/** Maximum total time in ms to determine, for all chosen policies, how long the lists of an object may become. */
const MAX_MS = 8_000;

/**
 * Returns the costs of policies, and adds the growth limits of lists to the most expensive policies. A growth limit states how long a list
 * in the most expensive object of a policy may become before a cost limit is exceeded. If the limits are not determined in time, the costs
 * of the policy are returned unchanged.
 */
export async function withGrowth(
  engine: Engine,
  { settings, texts }: PreparedBatch,
  prices: readonly PolicyPrice[],
  objects: readonly DocumentSlice[],
  signal?: AbortSignal,
): Promise<readonly PolicyPrice[]> {
  const until = AbortSignal.any([AbortSignal.timeout(MAX_MS), ...(signal ? [signal] : [])]);
  return Promise.all(
    prices.map(async (price, i) => {
      const object = objects[price.dearest.item];
      if (i >= MAX_POLICIES || object === undefined) return price;
      const work = { kind: 'grow', item: packItems([object]), policy: price.policy, settings } as const;
      const answer = await engine.run(work, { definitions: texts, signal: until });
      return answer.kind === 'done' ? { ...price, growth: answer.result } : price;
    }),
  );
}
