import type { Service } from './start-service.ts';

type Started<T extends readonly (() => Promise<Service | undefined>)[]> = { [K in keyof T]: Awaited<ReturnType<T[K]>> };

/** Starts several services at the same time. If one service fails to start, stops the others and rejects. */
export async function startTogether<const T extends readonly (() => Promise<Service | undefined>)[]>(starts: T): Promise<Started<T>> {
  const outcomes = await Promise.allSettled(starts.map((start) => start()));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed === undefined) return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : undefined)) as Started<T>;
  await Promise.all(outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? (outcome.value?.stop() ?? []) : [])));
  throw failed.reason;
}
