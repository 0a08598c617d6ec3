import { z } from 'zod';

/**
 * Schema of an assertion about the violations of a case. Source of this file: gatekeeper pkg/gator/verify/suite.go, assertion.go (3.23).
 */
const assertion = z.strictObject({
  violations: z.union([z.int().nonnegative(), z.enum(['yes', 'no']), z.boolean()]).default('yes'),
  message: z.string().optional(),
});
/** Parsed assertion about the violations of a case. */
export type Assertion = z.infer<typeof assertion>;

const gatorCase = z.looseObject({
  name: z.string(),
  object: z.string(),
  inventory: z.array(z.string()).default([]),
  assertions: z.array(assertion).default([]),
  skip: z.boolean().default(false),
});
const gatorTest = z.looseObject({
  name: z.string(),
  template: z.string(),
  constraint: z.string(),
  expansion: z.string().optional(),
  cases: z.array(gatorCase).default([]),
  invalid: z.boolean().default(false),
  skip: z.boolean().default(false),
});
/** Test of a gator suite: a template, a constraint, and cases. */
export type GatorTest = z.infer<typeof gatorTest>;

/** Schema of a suite of `gator verify` (test.gatekeeper.sh). */
export const gatorSuite = z.looseObject({
  apiVersion: z.string().startsWith('test.gatekeeper.sh/'),
  kind: z.literal('Suite'),
  tests: z.array(gatorTest).default([]),
  skip: z.boolean().default(false),
});
/** Parsed suite of `gator verify`. */
export type GatorSuite = z.infer<typeof gatorSuite>;
