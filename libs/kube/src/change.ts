/**
 * Difference between Kubernetes versions that decides about an error or a warning. It is an entry of a ledger, or the date of a declaration
 * such as a string format.
 */
export interface Change {
  /** Name of the entry, or of what was declared. */
  readonly name: string;
  /** First minor version with the later behaviour. */
  readonly since: number;
  /** Sentence for users, as in a ledger. */
  readonly sentence: string;
  /** Upstream change, as in a ledger; undefined for the date of a declaration. */
  readonly upstream: string | undefined;
}

/** Returns the entries of a ledger that users see, with their names. */
export function changesOf<Ledger extends Readonly<Record<string, Difference>>>(ledger: Ledger): Readonly<Record<keyof Ledger, Change>> {
  const changes = Object.entries(ledger).map(([name, { since, seen }]) => {
    const change: Change = { name, since, sentence: seen?.sentence ?? '', upstream: seen?.upstream };
    return [name, change] as const;
  });
  return Object.fromEntries(changes) as Readonly<Record<keyof Ledger, Change>>;
}

/**
 * Text of an error whose words differ between Kubernetes versions, with the differences that chose them. A difference is listed if the
 * text would be another one with the other setting of the difference.
 */
export class WordedText {
  readonly text: string;
  readonly changes: readonly Change[];

  constructor(text: string, changes: readonly Change[]) {
    this.text = text;
    this.changes = changes;
  }
}

/** Detail of an error: the same text in all Kubernetes versions, or a text whose words differ. */
export type ErrorDetail = string | WordedText;

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
