import { z } from 'zod';

/** An assertion about the violations of a case. Source of this file: gatekeeper pkg/gator/verify/suite.go, assertion.go (3.23). */
const assertion = z.strictObject({
  violations: z.union([z.int().nonnegative(), z.enum(['yes', 'no']), z.boolean()]).default('yes'),
  message: z.string().optional(),
});
/** See `assertion`. */
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
/** A template with a constraint, and cases. */
export type GatorTest = z.infer<typeof gatorTest>;

/** A suite of `gator verify` (test.gatekeeper.sh). */
export const gatorSuite = z.looseObject({
  apiVersion: z.string().startsWith('test.gatekeeper.sh/'),
  kind: z.literal('Suite'),
  tests: z.array(gatorTest).default([]),
  skip: z.boolean().default(false),
});
/** A suite that was read. */
export type GatorSuite = z.infer<typeof gatorSuite>;
