import { z } from 'zod';
import { MAX_BODY_BYTES } from '#kube';
import { evaluationOptions, fieldValidation, userInfo } from './options.ts';

/** The notation of a document's bytes. */
export type Notation = 'json' | 'yaml';

/** One definition or object as it came: bytes, not parsed yet. */
export interface DocumentSlice {
  readonly bytes: Uint8Array;
  readonly notation: Notation;
}

/** The place of a document in its text. */
export interface DocumentOrigin {
  /** Its first byte, from 0. */
  readonly start: number;
  /** The byte after its last one. */
  readonly end: number;
  /** Position in its YAML list, from 0, if the document is an item of a list. Then the place is the place of the list. */
  readonly item?: number | undefined;
}

/** A document with the place in the text that it was cut out of. */
export interface CutDocument extends DocumentSlice {
  readonly origin: DocumentOrigin;
}

/** A definition that its client sent before. */
export interface KeptSlice extends DocumentSlice {
  /** The key under which it is kept, and charged. */
  readonly keptAs: string;
}

/** Bytes of the longest item: it may hold an object, an old object and the words around them. */
export const MAX_ITEM_BYTES = 2 * MAX_BODY_BYTES + 64 * 1024;

/** The settings beside `object` in an item that is more than a bare object. */
export const writeSettings = z.strictObject({
  operation: z.enum(['CREATE', 'UPDATE']).optional().describe('Default: UPDATE when oldObject is given, else CREATE'),
  subresource: z.literal('status').optional(),
  userInfo: userInfo.optional().describe('The user of the write; for admission policies'),
  fieldValidation: fieldValidation.optional(),
});
export type WriteSettings = z.infer<typeof writeSettings>;

const groupVersion = { group: z.string().default(''), version: z.string() };

/** The fields of an admission request beside its objects. Absent fields follow from the objects. */
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

/** The fields beside `object` and `oldObject` in an item that meets admission policies only: a deletion, a connection, a write of any subresource. */
export const requestSettings = z.strictObject({
  operation: z.enum(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']).optional().describe('By default it follows from the given objects'),
  request: requestDescription.default({}),
  userInfo: userInfo.optional(),
});
export type RequestSettings = z.infer<typeof requestSettings>;

/** An item: an object, or an object with a description of its write. */
const evaluationItem = z
  .union([
    z.looseObject({ apiVersion: z.string(), kind: z.string() }),
    z.strictObject({ ...writeSettings.shape, object: z.looseObject({}), oldObject: z.looseObject({}).optional() }),
    z.strictObject({ ...requestSettings.shape, object: z.looseObject({}).optional(), oldObject: z.looseObject({}).optional() }),
  ])
  .meta({ id: 'EvaluationItem' });

/** The JSON body of `POST /evaluate`, for the API's documentation; the bytes themselves are cut by `splitEnvelope`. */
export const evaluationEnvelope = z
  .strictObject({
    definitions: z.array(z.looseObject({})).optional().describe('CustomResourceDefinitions (apiextensions.k8s.io/v1)'),
    definitionRefs: z
      .array(z.string())
      .optional()
      .describe('Digests of definitions that this client sent before by PUT /definitions/{digest}; they come before `definitions`'),
    policies: z.array(z.looseObject({})).optional().describe('Admission policies and their bindings (admissionregistration.k8s.io)'),
    cluster: z
      .array(z.looseObject({}))
      .optional()
      .describe('Objects of the cluster that policies look at: Namespaces, parameters; an absent Namespace exists with its name only'),
    objects: z
      .array(evaluationItem)
      .describe(
        'Objects, or {object, oldObject, operation, subresource, fieldValidation, userInfo}; requests that meet policies only: {operation, request, object, oldObject, userInfo}',
      ),
    options: evaluationOptions.optional(),
  })
  .meta({ id: 'EvaluationEnvelope' });
