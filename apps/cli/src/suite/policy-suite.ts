import { z } from 'zod';
import { admissionOptions, requestSettings, userInfo } from '#documents';

/** Schema of a case: an admission request and its expected result. */
const policyCase = z.strictObject({
  name: z.string().min(1),
  ...requestSettings.shape,
  request: requestSettings.shape.request.unwrap().optional().describe('For requests that write no object as a whole'),
  object: z.looseObject({}).optional().describe('The object in the request'),
  oldObject: z.looseObject({}).optional().describe('The stored object'),
  expect: z.enum(['allowed', 'denied']),
  message: z.string().optional().describe('Part of the text with which the server refuses the request'),
  warnings: z.array(z.string()).optional().describe('Of each warning, in order, a part; default: warnings are not looked at'),
  auditAnnotations: z.record(z.string(), z.string()).optional().describe('Annotations that the audit event has, among others'),
  mutated: z.looseObject({}).optional().describe('Fields that the object has when it is stored, among others'),
});
/** Parsed case of a policy suite. */
export type PolicyCase = z.infer<typeof policyCase>;

/** Schema of a suite of admission policies: the policies, the cluster objects that they read, and requests with expected results. */
export const policySuiteSchema = z.strictObject({
  name: z.string().min(1),
  policies: z.array(z.string()).min(1).describe('Files with policies and bindings, relative to the suite'),
  cluster: z.array(z.string()).default([]).describe('Files with definitions, Namespaces and parameters, relative to the suite'),
  kubernetesVersion: z.string().optional().describe('Kubernetes version of the server, instead of the version of the command line'),
  userInfo: userInfo.optional().describe('The user of cases that name none; default: an administrator'),
  authorizer: admissionOptions.shape.authorizer,
  cases: z.array(policyCase).min(1),
});
/** Parsed test suite of admission policies: the policies, the cluster objects that they read, and requests with expected results. */
export type PolicySuite = z.infer<typeof policySuiteSchema>;
