import { z } from 'zod';

/** Schema of a JSON patch (RFC 6902) that is applied to the definition before the initial object is created. */
const patch = z.looseObject({ op: z.string(), path: z.string() });

const common = {
  name: z.string().min(1),
  resourceName: z.string().optional().describe('metadata.name of the objects; a generated one otherwise'),
  initial: z.string().describe('YAML of the object that is created'),
  expected: z
    .string()
    .optional()
    .describe('YAML of the stored object, by default the object in the request; name, namespace and server-made metadata are not compared'),
  expectedError: z.string().optional().describe('Part of the text with which the write is refused'),
};

/** Schema of a case that creates one object. */
const createCase = z.strictObject(common);
/** Schema of a case that creates an object and then changes it. */
const updateCase = z.strictObject({
  ...common,
  initialCRDPatches: z
    .array(patch)
    .optional()
    .describe('Patch of the definition for the create of the initial object; the update uses the unpatched definition'),
  updated: z.string().describe('YAML of the object in the update; a status in it is written through /status'),
  expectedStatusError: z.string().optional().describe('Part of the text with which the status write is refused'),
});

/**
 * Schema of a test suite in the format of openshift/api (see its tests/README.md): the definition, and the objects that are created and
 * updated.
 */
export const suiteSchema = z.looseObject({
  name: z.string().min(1),
  crdName: z.string().optional().describe('metadata.name of the definition; needed if the folder holds several'),
  crd: z.string().optional().describe("The definition's file, relative to the suite; default: found beside the suite by crdName"),
  version: z.string().optional().describe('API version under test: the definition is installed with this one alone; default: with all'),
  featureGates: z
    .array(z.string())
    .optional()
    .describe('Gates that variants of the definition must have, or, after a minus sign, must not have; see choose-variants.ts'),
  kubernetesVersion: z.string().optional().describe('Kubernetes version of the server, instead of the version of the command line'),
  tests: z
    .strictObject({ onCreate: z.array(createCase).nullish(), onUpdate: z.array(updateCase).nullish() })
    .refine(({ onCreate, onUpdate }) => (onCreate?.length ?? 0) + (onUpdate?.length ?? 0) > 0, 'holds no case'),
});

/** Parsed test suite of a definition. */
export type Suite = z.infer<typeof suiteSchema>;

/** Parsed case that creates one object. */
export type CreateCase = z.infer<typeof createCase>;

/** Parsed case that creates an object and then changes it. */
export type UpdateCase = z.infer<typeof updateCase>;

/** The result of one case. */
export interface CaseResult {
  readonly suite: string;
  readonly file: string;
  /** Line in the file at which the case begins, from 1. */
  readonly line?: number;
  readonly name: string;
  /** File of the definition; absent unless the suite was run against several definitions. */
  readonly variant?: string;
  readonly passed: boolean;
  /** Reason why the case failed. */
  readonly problem?: string;
  /**
   * Reason why the verdict on the case was not computed: the case requires a feature that Assay does not support. A case with this reason
   * has neither passed nor failed.
   */
  readonly notSupported?: string;
  readonly milliseconds: number;
}
