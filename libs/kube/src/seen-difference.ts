/** Description of a difference between Kubernetes versions for users. */
export interface SeenDifference {
  /**
   * One sentence for users. It begins with `Since 1.NN, `, ends without a full stop, and may contain Markdown code marks. `NN` is
   * {@link Difference.since}.
   */
  readonly sentence: string;
  /**
   * The upstream change, such as `cel-go#1350` or `kubernetes#131664`. If no pull request is known, the file and its version, such as
   * `cel-go v0.33.2 common/cost/estimator.go`.
   */
  readonly upstream: string;
}

/** Says if users can see a difference. If they cannot, `unseen` gives the reason, as a clause without a full stop. */
export type Visibility = { readonly seen: SeenDifference } | { readonly seen: undefined; readonly unseen: string };

/**
 * Entry of a ledger: a difference between Kubernetes versions. The ledgers are the files `minors.ts` of this and other libraries.
 * apps/cli/test/versions has an example for each difference that users see.
 */
export type Difference = Visibility & {
  /** First minor version with the later behaviour. */
  readonly since: number;
};
