import { z } from 'zod';

/** A JSON patch (RFC 6902), applied to the definition before the initial object is created. */
const patch = z.looseObject({ op: z.string(), path: z.string() });

const common = {
  name: z.string().min(1),
  resourceName: z.string().optional().describe('metadata.name of the objects; a generated one otherwise'),
  initial: z.string().describe('YAML of the object that is created'),
  expected: z.string().optional().describe('YAML of the object as stored; name, namespace and server-made metadata are not compared'),
  expectedError: z.string().optional().describe('Part of the text with which the write is refused'),
};

/** A case that creates one object. */
export const createCase = z.strictObject(common);
/** A case that creates an object and then changes it. */
export const updateCase = z.strictObject({
  ...common,
  initialCRDPatches: z
    .array(patch)
    .optional()
    .describe('The definition while the initial object is created; the update meets the unpatched one'),
  updated: z.string().describe('YAML of the object as it is then sent; a status in it is written through /status'),
  expectedStatusError: z.string().optional().describe('Part of the text with which the status write is refused'),
});

/** A test suite in the format of openshift/api (tests/README.md there): which definition, and what may be created and updated. */
export const suiteSchema = z.looseObject({
  name: z.string().min(1),
  crdName: z.string().optional().describe('metadata.name of the definition; needed where the folder holds several'),
  crd: z.string().optional().describe("The definition's file, relative to the suite; default: found beside the suite by crdName"),
  version: z.string().optional().describe('API version under test; default: that of the objects'),
  featureGates: z.array(z.string()).optional(),
  kubernetesVersion: z.string().optional(),
  tests: z.strictObject({ onCreate: z.array(createCase).optional(), onUpdate: z.array(updateCase).optional() }),
});

export type Suite = z.infer<typeof suiteSchema>;
export type CreateCase = z.infer<typeof createCase>;
export type UpdateCase = z.infer<typeof updateCase>;

/** How one case ended. */
export interface CaseResult {
  readonly suite: string;
  readonly file: string;
  readonly name: string;
  readonly passed: boolean;
  /** Why it failed. */
  readonly problem?: string;
  readonly milliseconds: number;
}
