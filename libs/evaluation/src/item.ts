import { z } from 'zod';
import { MAX_BODY_BYTES } from '#kube';
import { evaluationOptions, fieldValidation, userInfo } from './options.ts';

/** All notations of documents. Processes send the index of a notation in this list. */
export const NOTATIONS = ['json', 'yaml', 'unread'] as const;

/**
 * Notation of a document's bytes. The bytes of an `unread` document are not the document, but the error for which Go's reader does not return
 * it, in UTF-8. Only objects can be `unread`.
 */
export type Notation = (typeof NOTATIONS)[number];

/** One definition or object in the received bytes, before parsing. */
export interface DocumentSlice {
  readonly bytes: Uint8Array;
  readonly notation: Notation;
}

/** Position of a document in the text that contains it. */
export interface DocumentOrigin {
  /** Offset of the document's first byte, from 0. */
  readonly start: number;
  /** Offset of the first byte after the document. */
  readonly end: number;
  /**
   * Index of the document in its YAML list, from 0. Absent if the document is not an item of a list. If present, `start` and `end` are the
   * positions of the whole list.
   */
  readonly item?: number | undefined;
}

/** Document with its position in the text that it was cut from. */
export interface CutDocument extends DocumentSlice {
  readonly origin: DocumentOrigin;
}

/** Definition that the client sent in an earlier request and that the service kept. */
export interface KeptSlice extends DocumentSlice {
  /** Key under which the definition is stored and accounted. */
  readonly keptAs: string;
}

/** Maximum size of an item, in bytes. An item may contain an object, an old object and other fields. */
export const MAX_ITEM_BYTES = 2 * MAX_BODY_BYTES + 64 * 1024;

/**
 * Schema of the settings of a create or update request. In a batch, an object may stand alone, or in a wrapper that contains these settings
 * beside its property `object`.
 */
export const writeSettings = z.strictObject({
  operation: z.enum(['CREATE', 'UPDATE']).optional().describe('Default: UPDATE when oldObject is given, else CREATE'),
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
  operation: z.enum(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']).optional().describe('By default it follows from the given objects'),
  request: requestDescription.default({}),
  userInfo: userInfo.optional(),
});
export type RequestSettings = z.infer<typeof requestSettings>;

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
      .describe(
        'Digests of definitions that this client stored with PUT /definitions/{digest}. In the order of the definitions, they come before `definitions`',
      ),
    policies: z.array(z.looseObject({})).optional().describe('Admission policies and their bindings (admissionregistration.k8s.io)'),
    cluster: z
      .array(z.looseObject({}))
      .optional()
      .describe(
        'Objects of the cluster that policies read: Namespaces, and parameter objects. Assay assumes that a Namespace which is missing here exists, and that it has only a name',
      ),
    objects: z.array(evaluationItem).describe('The objects to judge. The list below this table shows the form of each object'),
    options: evaluationOptions.optional(),
  })
  .meta({ id: 'EvaluationEnvelope' });
