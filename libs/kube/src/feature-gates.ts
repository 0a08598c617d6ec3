import { goQuote } from '#go';
import type { Change } from './change.ts';
import { LATEST_MINOR, minorNumber } from './minors.ts';
import type { Minor } from './minors.ts';

/** State of a feature gate from one Kubernetes minor version on, until the minor version in which its next stage begins. */
interface GateStage {
  /** First Kubernetes minor version with this state, as the number after the dot: 28 for 1.28. */
  readonly since: number;
  readonly on: boolean;
  /** True if the server does not allow changing the gate in this stage. */
  readonly locked?: boolean;
  /** True if the server does not know the gate any more. Its behaviour stays as `on` says, and to name the gate is an error. */
  readonly gone?: boolean;
}

/**
 * Feature gates that change how a server responds to a write. The oldest stage of a gate comes first. Source: apiextensions-apiserver and
 * apiserver pkg/features/kube_features.go (1.30, 1.31, 1.37, 1.38.0-beta.0).
 */
const GATES = {
  /** Feature gate that lets updates keep unchanged invalid values (KEP-4008), and lets rules use `optionalOldSelf`. */
  CRDValidationRatcheting: [
    { since: 28, on: false },
    { since: 30, on: true },
    { since: 33, on: true, locked: true },
    { since: 38, on: true, gone: true },
  ],
  /** Feature gate that lets definitions declare `selectableFields` (KEP-4358). */
  CustomResourceFieldSelectors: [
    { since: 30, on: false },
    { since: 31, on: true },
    { since: 32, on: true, locked: true },
    { since: 38, on: true, gone: true },
  ],
  /** Feature gate that adds `observedGeneration` to the status of definitions. It does not change any verdict. */
  CRDObservedGenerationTracking: [
    { since: 35, on: false },
    { since: 36, on: true },
  ],
  /** Feature gate that enables MutatingAdmissionPolicies (KEP-3962). */
  MutatingAdmissionPolicy: [
    { since: 32, on: false },
    { since: 36, on: true },
  ],
} as const satisfies Readonly<Record<string, readonly GateStage[]>>;

/** Name of a feature gate. */
export type FeatureGate = keyof typeof GATES;
/** Names of all supported feature gates. */
export const FEATURE_GATES = Object.keys(GATES) as readonly FeatureGate[];

/** State of each feature gate: true if it is on. */
export type FeatureGates = Readonly<Record<FeatureGate, boolean>>;

/** Properties of a server that determine its responses: its Kubernetes minor version and its feature gates. */
export interface Server {
  readonly minor: Minor;
  readonly gates: FeatureGates;
}

/** Returns a server of the newest Kubernetes minor version with default feature gates. */
export const latestServer = (): Server => ({ minor: LATEST_MINOR, gates: defaultGates(LATEST_MINOR) });

/** Feature gates of a server, or the error that prevents the server from starting. */
export type FeatureGatesResult = { readonly ok: true; readonly gates: FeatureGates } | { readonly ok: false; readonly error: string };

function stageOf(gate: FeatureGate, minor: Minor): GateStage | undefined {
  const stages: readonly GateStage[] = GATES[gate];
  return stages.findLast(({ since }) => since <= minorNumber(minor));
}

/** Returns the difference that a feature gate is on by default from a Kubernetes version on. */
export function gateChange(gate: FeatureGate): Change {
  const since = GATES[gate].find(({ on }) => on)?.since ?? 0;
  return { name: gate, since, sentence: `Since 1.${since}, the feature gate \`${gate}\` is on by default`, upstream: undefined };
}

/** Returns the default feature gates of a Kubernetes minor version. */
export function defaultGates(minor: Minor): FeatureGates {
  const on = (gate: FeatureGate): boolean => stageOf(gate, minor)?.on ?? false;
  return Object.fromEntries(FEATURE_GATES.map((gate) => [gate, on(gate)])) as FeatureGates;
}

/**
 * Returns the feature gates of a server of the given Kubernetes minor version. `chosen` are the values of the server's flag
 * `--feature-gates`. Returns an error for a gate that is unknown or gone, and for a change of a locked gate.
 * Source: k8s.io/component-base/featuregate/feature_gate.go `SetFromMap` (1.37, 1.38.0-beta.0).
 */
export function featureGates(minor: Minor, chosen: Readonly<Record<string, boolean>> = {}): FeatureGatesResult {
  const gates: Record<FeatureGate, boolean> = { ...defaultGates(minor) };
  for (const [name, value] of Object.entries(chosen)) {
    const gate = FEATURE_GATES.find((known) => known === name);
    const stage = gate && stageOf(gate, minor);
    if (gate === undefined || stage === undefined || stage.gone === true) return { ok: false, error: `unrecognized feature gate: ${name}` };
    if (stage.locked === true && value !== stage.on)
      return { ok: false, error: `cannot set feature gate ${name} to ${value}, feature is locked to ${stage.on}` };
    gates[gate] = value;
  }
  return { ok: true, gates };
}

/**
 * Parses the value of kube-apiserver's flag `--feature-gates`: `A=true,B=false`. Source: component-base pkg/cli/flag/map_string_bool.go
 * (1.37).
 */
export function readFeatureGates(
  text: string,
): { readonly ok: true; readonly gates: Record<string, boolean> } | { readonly ok: false; readonly error: string } {
  const gates: [string, boolean][] = [];
  for (const pair of text.split(',').filter((part) => part !== '')) {
    const [name = '', value] = pair.split('=', 2).map((part) => part.trim());
    // The pattern also refuses names such as `__proto__`, which have a meaning in JavaScript objects. No gate has such a name.
    if (!/^[A-Za-z][A-Za-z0-9]*$/.test(name)) return { ok: false, error: `unrecognized feature gate: ${name}` };
    if (value === undefined) return { ok: false, error: `malformed pair, expect string=bool, got ${goQuote(pair)}` };
    if (value !== 'true' && value !== 'false') return { ok: false, error: `invalid value of ${name}: ${value}, must be true or false` };
    gates.push([name, value === 'true']);
  }
  return { ok: true, gates: Object.fromEntries(gates) };
}
