import { DIFFERENCES } from '#cel';
import type { DifferenceName } from '#cel';
import type { Minor } from '#kube';

/** Difference between two minor versions that causes their different verdicts or texts. */
export interface VerdictCause {
  /** Name of the entry in a ledger, or the names of functions that only one of them offers, with spaces. */
  readonly name: string;
  /** Sentence for users. It ends without a full stop and may contain Markdown code marks. */
  readonly sentence: string;
  /** Upstream change, such as `cel-go#1350`; undefined for functions. */
  readonly upstream: string | undefined;
}

/** Function that a new rule may use in one of two minor versions only. */
export interface DatedName {
  readonly name: string;
  /** First minor version in which new rules may use the name; undefined if only earlier minor versions allow it. */
  readonly first: Minor | undefined;
  /** True if both minor versions have the function, and only one has a signature of it. */
  readonly isSignature: boolean;
}

/** Returns the cause for an entry of the ledger of CEL. */
export function causeOfDifference(name: DifferenceName): VerdictCause {
  const { seen, what } = DIFFERENCES[name];
  return { name, sentence: seen?.sentence ?? what, upstream: seen?.upstream };
}

/**
 * Returns the causes for functions that only one version allows. Functions with the same first version are one cause; new signatures of
 * existing functions are a cause of their own.
 */
export function causesOfNames(names: readonly DatedName[]): VerdictCause[] {
  const once = [...new Map(names.map((one) => [one.name, one])).values()];
  const same = Map.groupBy(once, ({ first, isSignature }) => `${first} ${isSignature}`);
  return [...same.values()].map((some) => {
    const { first, isSignature } = some[0] as DatedName;
    const list = some.map(({ name }) => `\`${name}\``).join(', ');
    const used = `${isSignature ? 'another signature of ' : ''}${list}`;
    const sentence = first === undefined ? `New rules may no longer use ${used}` : `Since ${first}, new rules may use ${used}`;
    return { name: some.map(({ name }) => name).join(' '), sentence, upstream: undefined };
  });
}
