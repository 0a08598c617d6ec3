import { forgetTexts } from '#cel';
import { Cancelled } from '#go';
import type { JsonObject } from '#go';
import { groupOf, internalErrorStatus, invalidStatus, notFoundStatus, notSupported, storageErrorStatus } from '#kube';
import type { GroupKind } from '#kube';
import type { CompiledDefinition } from '../definition/compile-definition.ts';
import { FIELD_VALIDATIONS } from '../verdict.ts';
import type { ExactVerdict, ObjectVerdict, ObjectWrite, PhaseTimings, ValidationOptions } from '../verdict.ts';
import { wordedErrors } from '../wording/error-wording.ts';
import { acceptOrdinaryObject } from './accept-ordinary-object.ts';
import { createObject } from './create-object.ts';
import { readAhead } from './json-bytes.ts';
import { readWrite } from './read-write.ts';
import { updateObject } from './update-object.ts';
import type { WriteOutcome } from './write-outcome.ts';
import { WriteRequest } from './write-request.ts';

/** Source: k8s.io/apimachinery/pkg/api/meta/help.go `GetItemsPtr` (1.37). */
const NO_LIST = '*unstructured.Unstructured is not a list: no Items field in this object';

/** Judges one write of an object of a compiled definition. */
export function validateObject(definition: CompiledDefinition, write: ObjectWrite, options: ValidationOptions = {}): ObjectVerdict {
  const name = write.version ?? definition.storageVersion;
  const served = definition.serve(name);
  if (served === undefined) {
    const status = notFoundStatus({ group: definition.group, resource: definition.plural }, '');
    return { accepted: false, status, errors: [], warnings: [], cost: { cel: undefined } };
  }
  if (!served.ok) return unjudgeable(served.error);
  try {
    const read = readAhead(write, options.token);
    const ordinary = options.offered === true ? undefined : acceptOrdinaryObject(served.version, read, options);
    return ordinary ?? judgeWrite(new WriteRequest(served.version, read, options));
  } catch (error) {
    if (error instanceof Cancelled) return { cancelled: true };
    if (error instanceof RangeError) return unjudgeable(whatIsBeyondUs(error));
    throw error;
  } finally {
    forgetTexts();
  }
}

const NO_PHASES: PhaseTimings = { parse: 0, prune: 0, openapi: 0, lists: 0, cel: 0 };

/**
 * Judges one write as {@link validateObject} does, by the exact way alone, and tells the milliseconds of each step. All of them are 0 if the write
 * was refused before the first step. Callers that need these times ask here, because the verdict of a generated reader has none.
 */
export function validateObjectExactly(definition: CompiledDefinition, write: ObjectWrite, options: ValidationOptions = {}): ExactVerdict {
  const verdict = validateObject(definition, write, { ...options, exact: true, timings: true });
  if ('cancelled' in verdict) return verdict;
  const { phases } = verdict;
  if (phases === undefined && verdict.accepted) throw new Error('the exact way has not told its times');
  return { ...verdict, phases: phases ?? NO_PHASES };
}

/** Returns what the run time could not hold. Go's stack is larger than ours, and its numbers are. */
function whatIsBeyondUs({ message }: RangeError): string {
  return message.includes('BigInt') ? 'a number in a rule is too large to be judged' : 'the object is nested too deeply to be judged';
}

/**
 * What {@link validateObject} would say of a write that is ordinary: a create that nothing is to be said against, read in one pass over its bytes. Undefined for any other write, which
 * that function judges, told that it was `offered`. It is asked first by those who only suppose which definition the object is of: one that is of another is not ordinary.
 */
export function acceptAtOnce(definition: CompiledDefinition, write: ObjectWrite, options: ValidationOptions): ObjectVerdict | undefined {
  const served = definition.serve(write.version ?? definition.storageVersion);
  if (served?.ok !== true) return undefined;
  try {
    return acceptOrdinaryObject(served.version, write, options);
  } catch (error) {
    if (error instanceof Cancelled) return { cancelled: true };
    if (error instanceof RangeError) return undefined;
    throw error;
  } finally {
    forgetTexts();
  }
}

function unjudgeable(why: string): ObjectVerdict {
  return { accepted: false, status: internalErrorStatus(why), errors: [], warnings: [], cost: { cel: undefined } };
}

/** PLOT of a write, in the server's order: its options → read the object → create or update it → answer. */
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

/** 422: the request's own options are wrong. */
function refuseOptions(request: WriteRequest): ObjectVerdict {
  const { fieldValidation, operation } = request.write;
  const errors = [notSupported('fieldValidation', fieldValidation, FIELD_VALIDATIONS)];
  const kind = operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions';
  return { accepted: false, status: invalidStatus({ group: 'meta.k8s.io', kind }, '', errors), errors, ...request.findings };
}

function verdictOf(request: WriteRequest, sent: JsonObject, outcome: WriteOutcome): ObjectVerdict {
  const { findings, version } = request;
  switch (outcome.kind) {
    case 'answered':
      return { accepted: false, status: outcome.status, errors: [], ...findings };
    case 'invalid': {
      const { errors, name } = outcome;
      const status = invalidStatus(kindSent(sent, version.kind), name, wordedErrors(errors, version.minor));
      return { accepted: false, status, errors, ...findings };
    }
    case 'stored':
      // The write succeeds, but its answer cannot be written: an untyped object with `items` is taken for a list.
      if (Array.isArray(outcome.object['items'])) return { accepted: false, status: storageErrorStatus(NO_LIST), errors: [], ...findings };
      return { accepted: true, object: outcome.object, ...findings };
  }
}

/** The kind that the object says it is: a refusal names it, also where it is the wrong one. Source: registry/rest/create.go (1.37). */
function kindSent({ apiVersion, kind }: JsonObject, served: string): GroupKind {
  const group = typeof apiVersion === 'string' ? groupOf(apiVersion) : '';
  return { group, kind: typeof kind === 'string' ? kind : served };
}
