import { durationMs, steadyNow } from '#documents';
import type { EvaluationOptions } from '#documents';
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

/**
 * Signal of a piece of work that ends with its caller or at its deadline. Unlike {@link untilDeadline}, its timer ends with the work, so it
 * costs little for work that ends soon.
 */
export class DeadlineSignal {
  readonly #stop = new AbortController();
  readonly #caller: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  readonly #leave = (): void => this.#stop.abort(this.#caller.reason);

  /** @param deadline time at which the signal is aborted, in epoch ms of {@link steadyNow} */
  constructor(caller: AbortSignal, deadline: number) {
    this.#caller = caller;
    this.#timer = setTimeout(() => this.#stop.abort(), Math.max(1, deadline - steadyNow())).unref();
    if (caller.aborted) this.#leave();
    else caller.addEventListener('abort', this.#leave, { once: true });
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** True if the caller left before the work ended. */
  get isCallerGone(): boolean {
    return this.#caller.aborted;
  }

  /** Aborts the signal now. */
  stop(): void {
    this.#stop.abort();
  }

  /** Ends the timer, and no longer listens to the caller. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#caller.removeEventListener('abort', this.#leave);
  }
}
