import { MINORS } from '#kube';
import type { Minor } from '#kube';
import { nodeOf } from '#service';
import type { EstimateChanges } from '#service';

/** Rule with the figures that tools for histories of benchmarks store. */
export interface TrackedRule {
  readonly version: string;
  readonly path: string;
  readonly rule: string;
  /** Estimated cost of all evaluations in one write, a uint64 as decimal text; undefined if the rule does not compile. */
  readonly estimate: string | undefined;
  /** Cost units of the most expensive write that a study found; undefined without a study. */
  readonly found?: number | undefined;
}

/** Definition with the figures that tools for histories of benchmarks store. */
export interface TrackedDefinition {
  readonly name: string;
  /** Minor version that computes the costs. */
  readonly minor: Minor;
  /** Verdicts of the judged minor versions. */
  readonly accepted: ReadonlyMap<Minor, boolean>;
  readonly rules: readonly TrackedRule[];
  /** Estimated costs of all rules of each version together, as decimal texts. */
  readonly totals: readonly { readonly version: string; readonly cost: string }[];
}

/**
 * Returns the place of a rule in objects as text: field and position of the rule, such as `spec.rules[*] x-kubernetes-validations[0]`.
 *
 * @param positions positions that the text names instead of the rule's own one, for rules that are shown as one
 */
export function placeInObjects(path: string, positions?: readonly number[]): string {
  const field = fieldOf(path);
  const named = positions?.join(', ') ?? /\[(\d+)\]$/.exec(path)?.[1] ?? '0';
  return `${field === '' ? '(root)' : field} x-kubernetes-validations[${named}]`;
}

/** Returns the field of a rule: `properties[spec].properties[rules].items.x-kubernetes-validations[0]` becomes `spec.rules[*]`. */
export const fieldOf = (path: string): string =>
  nodeOf(path)
    .replaceAll(/(?:^|\.)(?:properties\[([^\]]*)\]|(?:items|additionalProperties)(?=\.|$))/g, (_, name?: string) =>
      name === undefined ? '[*]' : `.${name}`,
    )
    .replace(/^\./, '');

/**
 * Returns the figures of the newer state of a definition for tools that track benchmarks.
 *
 * @param minor minor version whose estimates are tracked
 */
export function trackedEstimates(name: string, { rules, totals, accepted }: EstimateChanges, minor: Minor): TrackedDefinition {
  return {
    name,
    minor,
    accepted: new Map(
      MINORS.flatMap((one) => {
        const after = accepted[one]?.after;
        return after === undefined ? [] : [[one, after]];
      }),
    ),
    rules: rules
      .filter(({ state }) => state !== 'gone')
      .map(({ version, path, rule, costs }) => ({ version, path, rule, estimate: costs[minor]?.after })),
    totals: totals.flatMap(({ version, costs }) => {
      const cost = costs[minor]?.after;
      return cost === undefined ? [] : [{ version, cost }];
    }),
  };
}
