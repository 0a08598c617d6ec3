import type { ServicePorts } from '../ports.ts';

/** Ends an evaluation early that a client waits for, with the runs of it that were offered. Returns false if it is over or unknown. */
export async function cancelEvaluation(
  { queue, telemetry, overflow }: Pick<ServicePorts, 'queue' | 'telemetry' | 'overflow'>,
  id: string,
): Promise<boolean> {
  overflow?.end(id);
  const cancelled = await queue.cancellations.cancel(id);
  if (cancelled) telemetry.metrics.counters.evaluations.add(1, { end: 'cancelled' });
  return cancelled;
}
