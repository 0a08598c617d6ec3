import { z } from 'zod';
import { userInfo } from '#documents';
import { readJson, isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { PlacedVerdict } from '../../evaluation/evaluate.ts';
import { differenceOf } from '../compare-objects.ts';
import type { CaseEnd } from '../request-suite.ts';

const operation = z.enum(['CREATE', 'UPDATE', 'DELETE']);

/**
 * Schema of a row of the test table. It states the expected result of a policy for certain resources. Source: kyverno
 * cmd/cli/kubectl-kyverno/apis/v1alpha1/test_result.go (1.18).
 */
const row = z.looseObject({
  policy: z.string(),
  rule: z.string().optional(),
  result: z.string(),
  kind: z.string().optional(),
  operation: operation.optional(),
  resources: z.array(z.string()).nullish(),
  resourceSpecs: z
    .array(
      z.looseObject({
        group: z.string().default(''),
        version: z.string().default(''),
        kind: z.string().optional(),
        namespace: z.string().default(''),
        name: z.string().default(''),
      }),
    )
    .nullish(),
  patchedResources: z.string().optional(),
});
/** Row of the test table in a kyverno test. */
export type KyvernoRow = z.infer<typeof row>;

const label = z.looseObject({ name: z.string(), labels: z.record(z.string(), z.string()).nullish() });
/**
 * Schema of the values file of a test, which describes the cluster in which the policies are applied to the resources. Source: kyverno
 * cmd/cli/kubectl-kyverno/apis/v1alpha1/values_spec.go (1.18).
 */
export const kyvernoValues = z.looseObject({
  globalValues: z.record(z.string(), z.unknown()).nullish(),
  namespaceSelector: z.array(label).nullish(),
  namespaces: z.array(z.looseObject({})).nullish(),
});
/** Parsed values file of a test. */
export type KyvernoValues = z.infer<typeof kyvernoValues>;

/** Schema of a kyverno test's user info file, which names the user who creates or updates the resources of the test. */
export const kyvernoUserInfo = z.looseObject({ userInfo: z.looseObject(userInfo.shape).optional() });

/**
 * Schema of a test file of `kyverno test` (cli.kyverno.io/v1alpha1). Source: kyverno cmd/cli/kubectl-kyverno/apis/v1alpha1/test.go (1.18).
 */
export const kyvernoTest = z.looseObject({
  name: z.string().optional(),
  metadata: z.looseObject({ name: z.string().optional() }).optional(),
  policies: z.array(z.string()).nullish(),
  resources: z.array(z.string()).nullish(),
  clusterResources: z.array(z.string()).nullish(),
  paramResources: z.array(z.string()).nullish(),
  targetResources: z.array(z.string()).nullish(),
  exceptions: z.array(z.string()).nullish(),
  jsonPayload: z.string().nullish(),
  variables: z.string().optional(),
  userinfo: z.string().optional(),
  values: kyvernoValues.nullish(),
  results: z.array(row).default([]),
});
/** Parsed test file of `kyverno test`. */
export type KyvernoTest = z.infer<typeof kyvernoTest>;

/** Result of a policy for a resource, in Kyverno's terms. */
type Result = 'pass' | 'fail' | 'error' | 'skip';

/** Result that a kyverno test expects. */
export interface ExpectedResult {
  readonly result: string;
  /** True if the resource is a pod controller. For pod controllers, Kyverno adds rules to a policy about pods. */
  readonly isPodController: boolean;
  /** Index (from 0, in the batch's `references`) of the object that is expected after a mutation; undefined if none is expected. */
  readonly reference: number | undefined;
}

const COMPILATION = /compilation error|compilation failed/;

/**
 * Compares the verdict of a policy on a resource with the expected result in a row of a Kyverno test table. Returns undefined if they
 * agree, and a problem or the reason for missing support otherwise. `references` contains the verdicts on the expected objects. Source:
 * kyverno cmd/cli/kubectl-kyverno/commands/test/output.go (1.18).
 */
export function judgeResult(verdict: PlacedVerdict, references: readonly PlacedVerdict[], expected: ExpectedResult): CaseEnd {
  const text = verdict.status?.message ?? '';
  if (COMPILATION.test(text)) return { notSupported: `no server would store the policy that is made of it: ${text}` };
  const found = resultOf(verdict);
  if (found === undefined) return { problem: `refused before the policy was asked: ${text}` };
  if (found === 'skip' && expected.isPodController && expected.result !== 'skip')
    return { notSupported: 'the policy is about pods: Kyverno has rules of its own for pod controllers' };
  // A policy skips a resource that it excludes, and Kyverno counts this as a pass.
  const agrees = found === expected.result || (found === 'skip' && expected.result === 'pass' && expected.reference === undefined);
  if (!agrees) {
    // The expected result `fail` includes both a denial and a failed mutation.
    if (found === 'error' && expected.result === 'fail') return undefined;
    return { problem: `expected ${expected.result}, but it is ${found}${text === '' ? '' : `: ${text}`}` };
  }
  return expected.reference === undefined ? undefined : patchProblem(verdict, references[expected.reference]);
}

/** Returns the result of a policy for a resource; undefined if the policy was not evaluated. */
function resultOf({ outcome, status, admission }: PlacedVerdict): Result | undefined {
  const applied = (admission?.policies ?? []).some(({ expressions }) =>
    expressions.some(({ part }) => part === 'validation' || part === 'mutation'),
  );
  if (outcome === 'accepted') return applied ? 'pass' : 'skip';
  const text = status?.message ?? '';
  if (!/ with binding '/.test(text)) return undefined;
  return /resulted in error:|error applying patch|error evaluating|composited variable/.test(text) ? 'error' : 'fail';
}

function patchProblem(verdict: PlacedVerdict, reference: PlacedVerdict | undefined): CaseEnd {
  const [wanted, found] = [objectOf(reference), objectOf(verdict)];
  if (wanted === undefined || found === undefined)
    return { problem: `the expected object cannot be read: ${reference?.status?.message ?? 'there is none'}` };
  const difference = differenceOf(wanted, found);
  return difference === undefined ? undefined : { problem: difference };
}

function objectOf(verdict: PlacedVerdict | undefined): JsonObject | undefined {
  const reading = readJson(JSON.stringify(verdict?.object ?? null));
  const value: JsonValue | undefined = reading.ok ? reading.value : undefined;
  return isJsonObject(value) ? value : undefined;
}
