import { Cancelled, copyJson } from '#go';
import type { JsonObject } from '#go';
import {
  groupOf,
  internalErrorStatus,
  invalidStatus,
  noMatchStatus,
  notSupported,
  storageErrorStatus,
  badRequestStatus,
  versionOf,
} from '#kube';
import type { GroupKind } from '#kube';
import type { CompiledDefinition } from '../definition/compile-definition.ts';
import { FIELD_VALIDATIONS } from '../verdict.ts';
import type { ExactVerdict, ObjectVerdict, ObjectWrite, PhaseTimings, ValidationOptions } from '../verdict.ts';
import { wordedErrors } from '../wording/error-wording.ts';
import { acceptWithReader, readOrdinaryUpdate } from './accept-with-reader.ts';
import { createObject, updateObject } from './write-object.ts';
import { parseYamlFirst } from './json-bytes.ts';
import type { ServedVersion } from './served-version.ts';
import type { WriteOutcome, EarlyAnswer, ReadObject } from './write-request.ts';
import { WriteRequest, earlyAnswer } from './write-request.ts';
import { coerceObject } from './write/coerce-object.ts';
import { acceptBody, cannotHandle, decodeBody, duplicateError, strictWarnings } from './write/decode-body.ts';

/** Error message for an object that is not a list. Source: k8s.io/apimachinery/pkg/api/meta/help.go `GetItemsPtr` (1.37). */
const NO_LIST = '*unstructured.Unstructured is not a list: no Items field in this object';

/**
 * Computes the verdict on a create or update of an object under a compiled definition. Code that is generated from the schema accepts a
 * valid create without warnings in a single pass over the bytes. Every other request goes through the server's steps one by one.
 */
export function validateObject(definition: CompiledDefinition, write: ObjectWrite, options: ValidationOptions = {}): ObjectVerdict {
  const judge = (version: ServedVersion): ObjectVerdict => {
    const read = parseYamlFirst(write, options.token);
    return acceptWithReader(version, read, options) ?? judgeWrite(new WriteRequest(version, read, options));
  };
  return bounded(definition, write, judge, (verdict) => verdict);
}

/**
 * Computes the verdict on a create or update for which {@link tryFastAccept} returned undefined. Returns the same verdict as {@link
 * validateObject}.
 */
export function validateExactly(definition: CompiledDefinition, write: ObjectWrite, options: ValidationOptions = {}): ObjectVerdict {
  const judge = (version: ServedVersion): ObjectVerdict =>
    judgeWrite(new WriteRequest(version, parseYamlFirst(write, options.token), options));
  return bounded(definition, write, judge, (verdict) => verdict);
}

/**
 * Validates a create request in a single fast pass over its bytes, and returns the verdict if the request is valid. Returns undefined if
 * this pass cannot accept the request; the caller must then call {@link validateExactly}. {@link validateObject} makes the same attempt
 * itself.
 *
 * Callers that are not sure of the object's definition can call this function first, because it never accepts an object of another
 * definition.
 */
export function tryFastAccept(definition: CompiledDefinition, write: ObjectWrite, options: ValidationOptions): ObjectVerdict | undefined {
  const judge = (version: ServedVersion): ObjectVerdict | undefined => acceptWithReader(version, write, options);
  return bounded(definition, write, judge, () => undefined);
}

/**
 * Returns what `judge` returns for one version of a definition. If the version is not served, or the JavaScript runtime cannot process the
 * object, `withError` receives a verdict that reports this. A cancelled evaluation returns `cancelled`.
 */
function bounded<Verdict>(
  definition: CompiledDefinition,
  write: ObjectWrite,
  judge: (version: ServedVersion) => Verdict,
  withError: (verdict: ObjectVerdict) => Verdict,
): Verdict | { readonly cancelled: true } {
  const served = definition.serve(write.version ?? definition.storageVersion);
  if (served === undefined) {
    const status = noMatchStatus(`${definition.group}/${write.version ?? definition.storageVersion}`, definition.kind);
    return withError({ accepted: false, status, errors: [], warnings: [], cost: { cel: undefined } });
  }
  if (!served.ok) return withError(unjudgeable(served.error));
  try {
    return judge(served.version);
  } catch (error) {
    if (error instanceof Cancelled) return { cancelled: true };
    if (error instanceof RangeError) return withError(unjudgeable(exceededLimit(error)));
    throw error;
  }
}

const NO_PHASES: PhaseTimings = { parse: 0, prune: 0, openapi: 0, lists: 0, cel: 0 };

/**
 * Computes the verdict on one create or update without a generated reader (fast code that accepts most valid objects). Also returns the
 * time of each step of the validation in ms. All times are 0 if the request was rejected before the first step. A verdict of {@link
 * validateObject} may lack these times, because a generated reader does not measure them.
 */
export function validateWithTimings(definition: CompiledDefinition, write: ObjectWrite, options: ValidationOptions = {}): ExactVerdict {
  const verdict = validateObject(definition, write, { ...options, exact: true, timings: true });
  if ('cancelled' in verdict) return verdict;
  const { phases } = verdict;
  if (phases === undefined && verdict.accepted) throw new Error('the exact validation returned no times');
  return { ...verdict, phases: phases ?? NO_PHASES };
}

/**
 * Returns the reason why no verdict on an object can be computed: the object exceeded the JavaScript runtime's limit for the stack or for
 * numbers. Go's limits are higher.
 */
function exceededLimit({ message }: RangeError): string {
  return message.includes('BigInt') ? 'a number in a rule is too large to be judged' : 'the object is nested too deeply to be judged';
}

function unjudgeable(why: string): ObjectVerdict {
  return { accepted: false, status: internalErrorStatus(why), errors: [], warnings: [], cost: { cel: undefined } };
}

/**
 * Computes the verdict on a write with the exact validation. Steps in the server's order: check the write's options → read the object →
 * create or update it → answer.
 */
function judgeWrite(request: WriteRequest): ObjectVerdict {
  const { version, write } = request;
  if (version.deprecation !== undefined) request.warnings.add(version.deprecation);
  if (!FIELD_VALIDATIONS.includes(write.fieldValidation)) return refuseOptions(request);
  const read = readWrite(request);
  if (read.kind === 'answered') return { accepted: false, status: read.status, errors: [], ...request.findings };
  const { object } = read;
  const outcome =
    write.operation === 'CREATE' ? createObject(request, object) : updateObject(request, object, write.subresource === 'status');
  return verdictOf(request, object, outcome);
}

/** Returns the 422 verdict for invalid options of the request. */
function refuseOptions(request: WriteRequest): ObjectVerdict {
  const { fieldValidation, operation } = request.write;
  const errors = [notSupported('fieldValidation', fieldValidation, FIELD_VALIDATIONS)];
  const kind = operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions';
  return { accepted: false, status: invalidStatus({ group: 'meta.k8s.io', kind }, '', errors), errors, ...request.findings };
}

function verdictOf(request: WriteRequest, requested: JsonObject, outcome: WriteOutcome): ObjectVerdict {
  const { findings, version } = request;
  switch (outcome.kind) {
    case 'answered':
      return { accepted: false, status: outcome.status, errors: [], ...findings };
    case 'invalid': {
      const { errors, name } = outcome;
      const status = invalidStatus(requestedKind(requested, version.kind), name, wordedErrors(errors, version.minor));
      return { accepted: false, status, errors, ...findings };
    }
    case 'stored':
      // Kubernetes stores the object, but then takes an object with a list `items` for a list of objects. So its response is an error.
      if (Array.isArray(outcome.object['items'])) return { accepted: false, status: storageErrorStatus(NO_LIST), errors: [], ...findings };
      return { accepted: true, object: outcome.object, ...findings };
  }
}

/** Returns the kind that the object states. A rejection names this kind even if it is wrong. Source: registry/rest/create.go (1.37). */
function requestedKind({ apiVersion, kind }: JsonObject, served: string): GroupKind {
  const group = typeof apiVersion === 'string' ? groupOf(apiVersion) : '';
  return { group, kind: typeof kind === 'string' ? kind : served };
}

/**
 * Decodes the object of a create or update, prunes and coerces it, and inserts defaults. Unknown and duplicate fields are rejected,
 * reported as warnings or ignored, depending on the `fieldValidation` of the request.
 */
function readWrite(request: WriteRequest): ReadObject {
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
