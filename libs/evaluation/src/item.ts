import { z } from 'zod';
import { fieldValidation } from './options.ts';

/** The notation of a document's bytes. */
export type Notation = 'json' | 'yaml';

/** One definition or object as it came: bytes, not parsed yet. */
export interface DocumentSlice {
  readonly bytes: Uint8Array;
  readonly notation: Notation;
}

/** The settings beside `object` in an item that is more than a bare object. */
export const writeSettings = z.strictObject({
  operation: z.enum(['CREATE', 'UPDATE']).optional().describe('Default: UPDATE when oldObject is given, else CREATE'),
  subresource: z.literal('status').optional(),
  fieldValidation: fieldValidation.optional(),
});
export type WriteSettings = z.infer<typeof writeSettings>;

/** An item as documented: an object, or an object with the write it stands for. */
const evaluationItem = z
  .union([
    z.looseObject({ apiVersion: z.string(), kind: z.string() }),
    writeSettings.extend({ object: z.looseObject({}), oldObject: z.looseObject({}).optional() }),
  ])
  .meta({ id: 'EvaluationItem' });

/** The JSON body of `POST /evaluate`, for the API's documentation; the bytes themselves are cut by `splitEnvelope`. */
export const evaluationEnvelope = z
  .strictObject({
    definitions: z.array(z.looseObject({})).describe('CustomResourceDefinitions (apiextensions.k8s.io/v1)'),
    objects: z.array(evaluationItem).describe('Objects, or {object, oldObject, operation, subresource, fieldValidation}'),
    options: z.looseObject({}).optional().describe('See EvaluationOptions'),
  })
  .meta({ id: 'EvaluationEnvelope' });
