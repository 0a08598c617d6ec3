import type { ZodError } from 'zod';
import { defaultGates, featureGates, LATEST_MINOR, MINORS, previewOf } from '#kube';
import type { Minor, Server } from '#kube';
import type { EvaluationOptions } from './options-schema.ts';

/** Options of a request that sets no options. They equal the defaults of the schema, which is not loaded for them. */
const DEFAULTS: EvaluationOptions = {
  kubernetesVersion: LATEST_MINOR,
  featureGates: {},
  fieldValidation: 'Warn',
  costLimits: {},
  asSent: false,
  admission: { authorizer: [] },
  explain: false,
  returnObjects: false,
  timings: false,
};

/** Returns the options of a request that sets no options. The result is always the same object. */
export const defaultOptions = (): EvaluationOptions => DEFAULTS;

/** Cache of servers with default feature gates, by Kubernetes minor version. */
const servers = new Map<Minor, Server>();

/** Returns the {@link Server} that the options select. */
export function serverOf({ kubernetesVersion: minor, featureGates: chosen }: EvaluationOptions): Server {
  if (Object.keys(chosen).length === 0) {
    const server = servers.get(minor) ?? { minor, gates: defaultGates(minor) };
    servers.set(minor, server);
    return server;
  }
  const result = featureGates(minor, chosen);
  return { minor, gates: result.ok ? result.gates : defaultGates(minor) };
}

/** Returns the options for another Kubernetes minor version. Feature gates that cannot be set in that minor version are left out. */
export function inMinor(options: EvaluationOptions, minor: EvaluationOptions['kubernetesVersion']): EvaluationOptions {
  const settable = Object.entries(options.featureGates).filter(([gate, value]) => featureGates(minor, { [gate]: value }).ok);
  return { ...options, kubernetesVersion: minor, featureGates: Object.fromEntries(settable) };
}

/**
 * Returns the Kubernetes minor versions that must accept a definition, in ascending order. They are the chosen one, and every released one
 * from the oldest on, if the options have an oldest one. A preview counts only if it is the chosen one, because its costs may still change.
 */
export function acceptingMinors({
  kubernetesVersion,
  oldestVersion,
}: Pick<EvaluationOptions, 'kubernetesVersion' | 'oldestVersion'>): readonly Minor[] {
  const from = oldestVersion === undefined ? MINORS.length : MINORS.indexOf(oldestVersion);
  return MINORS.filter((minor, i) => (i >= from && previewOf(minor) === undefined) || minor === kubernetesVersion);
}

/** Go's notation for a duration with one unit: `250ms`, `30s`, `1.5m`, `1h`. */
export const DURATION_PATTERN = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;
const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** Returns the duration in ms, rounded up. Returns undefined if the text is not a {@link DURATION_PATTERN}. */
export function durationMs(text: string): number | undefined {
  const match = DURATION_PATTERN.exec(text);
  return match ? Math.ceil(Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS]) : undefined;
}

/**
 * Returns one text for each issue that a schema check found, with the path of the issue. If the issue concerns the whole checked value,
 * `whole` replaces the path.
 */
export function problemsOf({ issues }: ZodError, whole: string): string[] {
  return issues.map(({ path, message }) => `${path.map(String).join('.') || whole}: ${message}`);
}
