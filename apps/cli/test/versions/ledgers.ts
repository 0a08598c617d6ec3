import { BUILTIN_DIFFERENCES } from '#policy/built-in';
import { DIFFERENCES } from '#cel';
import { CRD_DIFFERENCES, SCHEME_LINE_DIFFERENCES } from '#crd';
import { KUBE_DIFFERENCES, MINORS, minorNumber } from '#kube';
import type { Difference, Minor, SeenDifference } from '#kube';
import { POLICY_DIFFERENCES } from '#policy';
import { BUILTIN_EXAMPLES } from './builtin-examples.ts';
import { CEL_EXAMPLES } from './cel-examples.ts';
import { CRD_EXAMPLES, SCHEME_LINE_EXAMPLES } from './crd-examples.ts';
import type { Example } from './example.ts';
import { METADATA_EXAMPLES } from './metadata-examples.ts';
import { POLICY_EXAMPLES } from './policy-examples.ts';

/** Difference that users see, with its example. */
export interface ShownDifference extends SeenDifference {
  readonly name: string;
  /** Version whose section of the page shows the difference. */
  readonly since: Minor;
  readonly example: Example;
  /** Last version with the older answer to the example, and first version with the newer answer. */
  readonly versions: readonly [before: Minor, since: Minor];
}

type Ledger = Readonly<Record<string, Difference & { readonly by?: 'server' | 'compatibility' }>>;

/** All ledgers, with their examples. The page shows the differences in this order. */
const LEDGERS: readonly (readonly [ledger: Ledger, examples: Readonly<Record<string, Example>>])[] = [
  [DIFFERENCES, CEL_EXAMPLES],
  [CRD_DIFFERENCES, CRD_EXAMPLES],
  [SCHEME_LINE_DIFFERENCES, SCHEME_LINE_EXAMPLES],
  [KUBE_DIFFERENCES, METADATA_EXAMPLES],
  [POLICY_DIFFERENCES, POLICY_EXAMPLES],
  [BUILTIN_DIFFERENCES, BUILTIN_EXAMPLES],
];

/** Differences of all ledgers that users see. */
export const SHOWN_DIFFERENCES: readonly ShownDifference[] = LEDGERS.flatMap(([ledger, examples]) =>
  Object.entries(ledger).flatMap(([name, { since, by, seen }]) => {
    const example = examples[name];
    if (seen === undefined || example === undefined) return [];
    // New expressions may use only functions that exist since the previous version.
    const first = by === 'compatibility' ? since + 1 : since;
    return [{ name, ...seen, since: minorOf(since), example, versions: [minorOf(first - 1), minorOf(first)] as const }];
  }),
);

function minorOf(number: number): Minor {
  const minor = MINORS.find((one) => minorNumber(one) === number);
  if (minor === undefined) throw new Error(`1.${number} is no version that Assay knows`);
  return minor;
}
