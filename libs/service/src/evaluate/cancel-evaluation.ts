import type { ServicePorts } from '../ports.ts';

/**
 * Cancels an evaluation for which a client waits. Also cancels the parts of the evaluation that were offered to other processes. Returns
 * false if the evaluation is over or unknown.
 */
export async function cancelEvaluation(
  { queue, telemetry, overflow }: Pick<ServicePorts, 'queue' | 'telemetry' | 'overflow'>,
  id: string,
): Promise<boolean> {
  overflow?.end(id);
  const cancelled = await queue.cancellations.cancel(id);
  if (cancelled) telemetry.metrics.counters.evaluations.add(1, { end: 'cancelled' });
  return cancelled;
}
