import { defaultGates, FEATURE_GATES, featureGates, MINORS } from '#kube';
import type { FeatureGate, Minor } from '#kube';

/** Effect of each feature gate if it is on, in Markdown. */
const EFFECTS: Readonly<Record<FeatureGate, string>> = {
  CRDValidationRatcheting: 'the server accepts an update that leaves invalid values unchanged ([ratcheting](ratcheting.md))',
  CustomResourceFieldSelectors: 'definitions may declare `selectableFields`',
  CRDObservedGenerationTracking: 'the status of definitions has `observedGeneration`. This gate changes no verdict',
  MutatingAdmissionPolicy: 'the server applies MutatingAdmissionPolicies',
};

/** Returns the table of feature gates, whose versions come from the declarations of the gates. */
export function featureGateTable(): string {
  return ['| Gate | On by default | Locked | Effect of the gate if it is on |', '|---|---|---|---|', ...FEATURE_GATES.map(row)].join('\n');
}

function row(gate: FeatureGate): string {
  const isOn = (minor: Minor): boolean => defaultGates(minor)[gate];
  const isAllowed = (minor: Minor, on: boolean): boolean => featureGates(minor, { [gate]: on }).ok;
  const known = MINORS.filter((minor) => isAllowed(minor, isOn(minor)));
  const on = MINORS.find(isOn);
  const locked = known.find((minor) => !isAllowed(minor, !isOn(minor)));
  const gone = MINORS[MINORS.indexOf(known.at(-1) ?? MINORS[0]) + 1];
  const cells = [
    [on && `since ${on}`, known[0] === on ? undefined : `known since ${known[0]}`],
    [locked && `since ${locked}`, gone && `gone since ${gone}`],
  ].map((parts) => parts.filter((part) => part !== undefined).join(', '));
  return `| \`${gate}\` | ${cells.join(' | ')} | ${EFFECTS[gate]} |`;
}
