import type { ServicePorts } from '../ports.ts';

/** Ends an evaluation early. False when it is over or unknown. */
export async function cancelEvaluation({ queue, telemetry }: ServicePorts, id: string): Promise<boolean> {
  const cancelled = await queue.cancellations.cancel(id);
  if (cancelled) telemetry.metrics.counters.evaluations.add(1, { end: 'cancelled' });
  return cancelled;
}
