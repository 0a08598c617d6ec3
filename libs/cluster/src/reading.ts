/**
 * The reason why a cluster, or a part of it, could not be read.
 *
 * - `config`: the kubeconfig does not say how to reach it.
 * - `unreachable`: no server answered, or none that is trusted.
 * - `unauthorized`: the server does not know who asks (401).
 * - `forbidden`: who asks may not read this (403).
 * - `missing`: there is no such thing (404).
 * - `conflict`: another write came between (409).
 * - `expired`: the state that a list was read from is gone (410).
 * - `tooLarge`: an answer is larger than may be held.
 * - `failed`: anything else that a server answered, again and again.
 * - `stopped`: reading was stopped.
 */
export interface ClusterProblem {
  readonly kind:
    'config' | 'unreachable' | 'unauthorized' | 'forbidden' | 'missing' | 'conflict' | 'expired' | 'tooLarge' | 'failed' | 'stopped';
  /** A sentence for the user, without a full stop. */
  readonly sentence: string;
}

/** The outcome of reading. */
export type Reading<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: ClusterProblem };

/** What was read. */
export const read = <Value>(value: Value): Reading<Value> => ({ ok: true, value });

/** Returns a failed reading, with the reason. */
export const unread = (kind: ClusterProblem['kind'], sentence: string): { readonly ok: false; readonly problem: ClusterProblem } => ({
  ok: false,
  problem: { kind, sentence },
});
