import { durationMs, steadyNow } from '#evaluation';
import type { EvaluationOptions } from '#evaluation';
import type { ServiceLimits } from './ports.ts';

/**
 * Returns the deadline of a request, in epoch ms of {@link steadyNow}. The deadline is `receivedAt` plus the time that the options request,
 * or plus the default time. The added time is at most `maxDeadlineMs`.
 */
export function deadlineOf(
  { deadline }: Pick<EvaluationOptions, 'deadline'>,
  limits: Pick<ServiceLimits, 'deadlineMs' | 'maxDeadlineMs'>,
  receivedAt: number,
): number {
  const wanted = deadline === undefined ? limits.deadlineMs : (durationMs(deadline) ?? limits.deadlineMs);
  return receivedAt + Math.min(wanted, limits.maxDeadlineMs);
}

/** Returns a signal that is aborted when `signal` is aborted or when the deadline, in epoch ms, has passed. */
export function untilDeadline(signal: AbortSignal, deadline: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, deadline - steadyNow()))]);
}
