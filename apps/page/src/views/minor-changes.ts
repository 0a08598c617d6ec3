import type { Minor } from '#kube';
import type { VersionMatrix } from '#service';

/** Kind of difference from the previous minor version: in a verdict, in a message or warning (`text`), or in a cost. */
type Difference = 'verdict' | 'text' | 'cost';

/**
 * Column of one minor version in the comparison of versions: whether it refuses a document, and its differences from the previous minor
 * version.
 */
export interface MinorColumn {
  readonly minor: Minor;
  /** True if this minor version refuses at least one definition or policy, or does not accept at least one object. */
  readonly refuses: boolean;
  readonly differences: readonly Difference[];
}

/**
 * Returns a column for each minor version. The column says whether this version refuses any document, and how its results differ from the
 * previous minor version.
 */
export function minorColumns({ minors, definitions, policies = [], objects }: VersionMatrix): readonly MinorColumn[] {
  return minors.map((minor, i) => {
    const before = minors[i - 1];
    const refuses =
      [...definitions, ...policies].some(({ accepted }) => accepted[minor] === false) ||
      objects.some(({ outcome }) => outcome[minor] !== 'accepted');
    const changed = (values: Readonly<Partial<Record<Minor, unknown>>>): boolean =>
      before !== undefined && JSON.stringify(values[before]) !== JSON.stringify(values[minor]);
    const found: Readonly<Record<Difference, boolean>> = {
      verdict: [...definitions, ...policies].some(({ accepted }) => changed(accepted)) || objects.some(({ outcome }) => changed(outcome)),
      text:
        [...definitions, ...policies].some(({ messages, warnings }) => changed(messages) || changed(warnings)) ||
        objects.some(({ messages, warnings }) => changed(messages) || changed(warnings)),
      cost:
        definitions.some(({ changingRules }) => changingRules.some(({ cost }) => changed(cost))) ||
        objects.some(({ celCost }) => changed(celCost)),
    };
    return { minor, refuses, differences: (Object.keys(found) as Difference[]).filter((difference) => found[difference]) };
  });
}
