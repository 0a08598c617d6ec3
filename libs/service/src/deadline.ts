import { durationMs, steadyNow } from '#evaluation';
import type { EvaluationOptions } from '#evaluation';
import type { ServiceLimits } from './ports.ts';

/**
 * Returns the deadline of a request with these options, in epoch ms of {@link steadyNow}. The time starts when the request was received.
 */
export function deadlineOf(
  { deadline }: Pick<EvaluationOptions, 'deadline'>,
  limits: Pick<ServiceLimits, 'deadlineMs' | 'maxDeadlineMs'>,
  receivedAt: number,
): number {
  const wanted = deadline === undefined ? limits.deadlineMs : (durationMs(deadline) ?? limits.deadlineMs);
  return receivedAt + Math.min(wanted, limits.maxDeadlineMs);
}

/** Returns a signal that is raised with the given one, or at a deadline (epoch ms). */
export function untilDeadline(signal: AbortSignal, deadline: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, deadline - steadyNow()))]);
}
