import { z } from 'zod';
import { userInfo } from '#documents';

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
