/**
 * Reason why a cluster, or a part of it, could not be read.
 *
 * - `config`: the kubeconfig does not describe how to reach the cluster.
 * - `unreachable`: no server answered, or the server is not trusted.
 * - `unauthorized`: the server does not accept the credentials (401).
 * - `forbidden`: the user has no permission for this request (403).
 * - `missing`: the requested resource does not exist (404).
 * - `conflict`: another write changed the object first (409).
 * - `expired`: the state from which a list was read is no longer available (410).
 * - `tooLarge`: the response exceeds the maximum size.
 * - `failed`: the response is unusable, or reports an error with a code that this list does not contain.
 * - `stopped`: reading was cancelled.
 */
export interface ClusterProblem {
  readonly kind:
    | 'config'
    | 'unreachable'
    | 'unauthorized'
    | 'forbidden'
    | 'missing'
    | 'conflict'
    | 'expired'
    | 'tooLarge'
    | 'failed'
    | 'stopped';
  /** Sentence that describes the problem to the user, without a full stop. */
  readonly sentence: string;
}

/** Result of reading from a cluster: the value, or the problem that prevented reading. */
export type ClusterReading<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: ClusterProblem };

/** Returns a successful reading with the given value. */
export const read = <Value>(value: Value): ClusterReading<Value> => ({ ok: true, value });

/** Returns a {@link ClusterReading} that reports why reading from a cluster failed. `sentence` describes the problem to the user. */
export const unread = (kind: ClusterProblem['kind'], sentence: string): { readonly ok: false; readonly problem: ClusterProblem } => ({
  ok: false,
  problem: { kind, sentence },
});
