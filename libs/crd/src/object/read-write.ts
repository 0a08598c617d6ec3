import { copyJson } from '#go';
import type { JsonObject } from '#go';
import { badRequestStatus, versionOf } from '#kube';
import { readOrdinaryUpdate } from './accept-with-reader.ts';
import { coerceObject } from './write/coerce-object.ts';
import { acceptBody, cannotHandle, decodeBody, duplicateError, strictWarnings } from './write/decode-body.ts';
import { earlyAnswer } from './write-outcome.ts';
import type { EarlyAnswer, ReadObject } from './write-outcome.ts';
import type { WriteRequest } from './write-request.ts';

/**
 * Decodes the object of a create or update, prunes and coerces it, and inserts defaults. Unknown and duplicate fields are rejected,
 * reported as warnings or ignored, depending on the `fieldValidation` of the request.
 */
export function readWrite(request: WriteRequest): ReadObject {
  const { version, options } = request;
  const ordinary = readOrdinaryUpdate(version, request.write, options);
  if (ordinary !== undefined) return request.takeOrdinary(ordinary);
  const { body, contentType, fieldValidation, yaml } = request.write;
  const reading = request.timed('parse', () =>
    typeof body === 'string' || body instanceof Uint8Array
      ? decodeBody(body, contentType, version, { token: options.token, lenient: fieldValidation === 'Ignore', yaml })
      : acceptBody(copyJson(body), version),
  );
  if (!reading.ok) return earlyAnswer(reading.status);
  const { object } = reading;
  request.noteIdentity(object);
  const coerced = request.timed('prune', () => coerceObject(object, version, 'request'));
  if (!coerced.ok) return earlyAnswer(cannotHandle(object, version, coerced.error));
  const strict = [...reading.strictErrors, ...reading.duplicates.map(duplicateError)];
  strict.push(...coerced.unknownFields.map((field) => `unknown field "${field}"`));
  if (fieldValidation === 'Strict' && strict.length > 0) return refuseStrictly(object, strict);
  if (fieldValidation !== 'Ignore') for (const text of strictWarnings(strict)) request.warnings.add(text);
  const apiVersion = object['apiVersion'];
  if (apiVersion === version.apiVersion) return { kind: 'read', object };
  const found = typeof apiVersion === 'string' ? apiVersion.replace(/^\//, '') : '';
  return earlyAnswer(
    badRequestStatus(`the API version in the data (${found}) does not match the expected API version (${version.apiVersion})`),
  );
}

/**
 * Returns the rejection of a write with strict decoding errors. Its message contains the kind and apiVersion of the sent object. Source:
 * apiserver handlers/rest.go `transformDecodeError` (1.37).
 */
function refuseStrictly(object: JsonObject, errors: readonly string[]): EarlyAnswer {
  const { kind, apiVersion } = object;
  if (versionOf(typeof apiVersion === 'string' ? apiVersion : '') === '')
    return earlyAnswer(badRequestStatus("Object 'apiVersion' is missing in 'object has no apiVersion field'"));
  return earlyAnswer(cannotHandle(object, { kind: String(kind) }, `strict decoding error: ${errors.join(', ')}`));
}
