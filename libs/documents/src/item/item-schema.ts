import { z } from 'zod';
import { evaluationOptions, fieldValidation, userInfo } from '../options/options-schema.ts';
import { problemsOf } from '../options/options.ts';

// The schemas take long to create, so this module is loaded only where an item is checked (`scripts/bundle.mjs`).

/**
 * Schema of the settings of a create or update request. In a batch, an object may stand alone, or in a wrapper that contains these settings
 * beside its property `object`.
 */
export const writeSettings = z.strictObject({
  operation: z.enum(['CREATE', 'UPDATE']).optional().describe('Default: UPDATE if oldObject is given, otherwise CREATE'),
  subresource: z.literal('status').optional(),
  userInfo: userInfo.optional().describe('The user of the write; for admission policies'),
  fieldValidation: fieldValidation.optional(),
});
export type WriteSettings = z.infer<typeof writeSettings>;

const groupVersion = { group: z.string().default(''), version: z.string() };

/** Fields of an admission request except its objects. The defaults of absent fields are derived from the objects. */
const requestDescription = z
  .strictObject({
    kind: z
      .strictObject({ ...groupVersion, kind: z.string() })
      .optional()
      .describe("Default: the object's"),
    resource: z
      .strictObject({ ...groupVersion, resource: z.string() })
      .optional()
      .describe("Default: the kind's"),
    subresource: z.string().optional().describe('Such as exec, scale, status'),
    name: z.string().optional(),
    namespace: z.string().optional(),
    dryRun: z.boolean().optional(),
    options: z.looseObject({}).optional().describe('CreateOptions, UpdateOptions, PatchOptions or DeleteOptions'),
  })
  .meta({ id: 'AdmissionRequest' });

/**
 * Schema of the settings in an item (one entry of an evaluation) that describes a request which only admission policies check. Such a
 * request is a delete or connect request, or a write request to any subresource. The item also contains `object` and `oldObject`.
 */
export const requestSettings = z.strictObject({
  operation: z.enum(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']).optional().describe('The default depends on which objects are given'),
  request: requestDescription.default({}),
  userInfo: userInfo.optional(),
});
export type RequestSettings = z.infer<typeof requestSettings>;

/** Result of checking the settings of an item: the settings, or an error text with all problems. */
export type CheckedSettings<Settings> = { readonly ok: true; readonly settings: Settings } | { readonly ok: false; readonly error: string };

/** Checks the settings of a create or update request, which are the members of an item beside its objects. */
export const checkWriteSettings = (members: unknown): CheckedSettings<WriteSettings> => checked(writeSettings.safeParse(members));

/** Checks the settings of an item that describes a request which only admission policies check. */
export const checkRequestSettings = (members: unknown): CheckedSettings<RequestSettings> => checked(requestSettings.safeParse(members));

/** Returns the user of a write, with defaults for absent fields. Returns undefined if the value is no user. */
export const checkUserInfo = (value: unknown): WriteSettings['userInfo'] => userInfo.safeParse(value).data;

function checked<Settings>(result: z.ZodSafeParseResult<Settings>): CheckedSettings<Settings> {
  return result.success ? { ok: true, settings: result.data } : { ok: false, error: problemsOf(result.error, 'item').join('; ') };
}

/** One item: an object, or an object with a description of its write. */
const evaluationItem = z
  .union([
    z.looseObject({ apiVersion: z.string(), kind: z.string() }),
    z.strictObject({ ...writeSettings.shape, object: z.looseObject({}), oldObject: z.looseObject({}).optional() }),
    z.strictObject({ ...requestSettings.shape, object: z.looseObject({}).optional(), oldObject: z.looseObject({}).optional() }),
  ])
  .meta({ id: 'EvaluationItem' });

/** JSON body of `POST /evaluate`, for the API's documentation only. `splitEnvelope` reads the body without this schema. */
export const evaluationEnvelope = z
  .strictObject({
    definitions: z.array(z.looseObject({})).optional().describe('CustomResourceDefinitions (apiextensions.k8s.io/v1)'),
    definitionRefs: z
      .array(z.string())
      .optional()
      .describe('Digests of definitions that this client stored with PUT /definitions/{digest}. Assay applies them before `definitions`'),
    policies: z.array(z.looseObject({})).optional().describe('Admission policies and their bindings (admissionregistration.k8s.io)'),
    cluster: z
      .array(z.looseObject({}))
      .optional()
      .describe(
        'Objects of the cluster that policies read: Namespaces, and parameter objects. If a Namespace is missing here, Assay assumes that it exists, and has only a name',
      ),
    objects: z.array(evaluationItem).describe('The objects to judge. The list below this table shows the form of each object'),
    options: evaluationOptions.optional(),
  })
  .meta({ id: 'EvaluationEnvelope' });
