import type { EngineChoice } from '#cel';
import { decodeBody, judgeDefinition, storedDefinition, strictWarnings } from '#crd';
import type { ObjectVerdict, ObjectWrite, ValidationOptions, WriteAdmission } from '#crd';
import type { CancellationToken, JsonObject } from '#go';
import { badRequestStatus, groupOf } from '#kube';
import type { Minor, Server, Status } from '#kube';
import { setDefaults } from '../built-in/defaults/set-defaults.ts';
import { builtInKinds } from '../built-in/table/built-in-kind.ts';
import type { BuiltInKind } from '../built-in/table/built-in-kind.ts';
import { decodeRequest } from '../built-in/typed/decode-request.ts';
import type { DecodingOutcome } from '../built-in/typed/decode-request.ts';
import { readTyped } from '../built-in/typed/read-typed.ts';
import type { TypedReading } from '../built-in/typed/read-typed.ts';

/** Server's response to a write that was not cancelled. */
type WriteVerdict = Exclude<ObjectVerdict, { readonly cancelled: true }>;

/** Returns the built-in kind with the given `apiVersion` and `kind`. Returns undefined if the server has no such kind. */
export function builtInKind(apiVersion: string, kind: string, minor: Minor): BuiltInKind | undefined {
  return builtInKinds(minor).kind(apiVersion, kind);
}

/**
 * Computes the verdict on a write of an object of a built-in kind. The steps are: decoding into the Go type → defaults → mutating admission
 * → validating admission. The validation of the kind itself does not run, because it is not available as a library. An accepted object has
 * therefore passed only strict decoding and the policies.
 */
export function judgeBuiltInWrite(kind: BuiltInKind, write: ObjectWrite, minor: Minor, options: ValidationOptions): WriteVerdict {
  const decoded = decode(kind, write, minor, options.token);
  if (!decoded.ok) return refused(decoded.status, []);
  const { object, warnings } = decoded;
  const old = write.oldObject === undefined ? undefined : readStored(write.oldObject, kind, minor, options.token);
  if (old?.ok === false) return refused(badRequestStatus(`oldObject: ${old.error}`), warnings);
  const { admission } = options;
  if (admission === undefined) return { accepted: true, object, warnings, cost: { cel: undefined } };
  const admitted = { operation: write.operation, subresource: write.subresource, oldObject: old?.object };
  const mutated = admission.mutate({ ...admitted, object });
  const allWarnings = [...warnings, ...mutated.warnings];
  if (mutated.refusal !== undefined) return refused(mutated.refusal, allWarnings);
  const { refusal, warnings: more } = admission.validate({ ...admitted, object: mutated.object });
  if (refusal !== undefined) return refused(refusal, [...allWarnings, ...more]);
  return { accepted: true, object: mutated.object, warnings: [...allWarnings, ...more], cost: { cel: undefined } };
}

/**
 * Returns a stored object in the form in which a server reads it: decoded into its Go type, with defaults set. Source:
 * k8s.io/apiserver/pkg/storage/etcd3, whose decoder sets them (1.37).
 */
function readStored(object: JsonObject, kind: BuiltInKind, minor: Minor, token?: CancellationToken): TypedReading {
  const reading = readTyped(object, kind, minor, { token });
  if (reading.ok) setDefaults(reading.object, kind, minor, token);
  return reading;
}

/**
 * Returns an object of a request with the defaults of its built-in kind. A CustomResourceDefinition is returned in its stored form. Objects
 * of kinds that are not built in, and objects that cannot be read, are returned unchanged.
 */
export function withBuiltInDefaults(object: JsonObject, minor: Minor, token?: CancellationToken): JsonObject {
  const { apiVersion, kind: name } = object;
  if (typeof apiVersion === 'string' && typeof name === 'string' && isDefinitionKind(apiVersion, name))
    return storedDefinition(object) ?? object;
  const kind = typeof apiVersion === 'string' && typeof name === 'string' ? builtInKind(apiVersion, name, minor) : undefined;
  const reading = kind && readStored(object, kind, minor, token);
  return reading?.ok === true ? reading.object : object;
}

/**
 * Values of `fieldValidation` that a server supports. A server refuses any other value before it reads the body; here, any other value
 * counts as `Warn`.
 */
const STRICTNESSES = ['Strict', 'Warn', 'Ignore'] as const;

/** Reads and decodes an object with the `fieldValidation` of the write, and sets its defaults. */
function decode(
  kind: BuiltInKind,
  { body, contentType, fieldValidation, yaml }: ObjectWrite,
  minor: Minor,
  token?: CancellationToken,
): DecodingOutcome {
  const reading =
    typeof body === 'string' || body instanceof Uint8Array
      ? decodeBody(body, contentType, { kind: kind.kind, minor }, { token, yaml })
      : { ok: true as const, object: body, duplicates: [], strictErrors: [] };
  if (!reading.ok) return reading;
  const { object, duplicates, strictErrors } = reading;
  const strictness = STRICTNESSES.find((known) => known === fieldValidation) ?? 'Warn';
  const decoded = decodeRequest(object, kind, {
    minor,
    fieldValidation: strictness,
    duplicates,
    strictErrors: strictWarnings(strictErrors),
    token,
  });
  if (decoded.ok) setDefaults(decoded.object, kind, minor, token);
  return decoded;
}

const refused = (status: Status, warnings: readonly string[]): WriteVerdict => ({
  accepted: false,
  status,
  errors: [],
  warnings,
  cost: { cel: undefined },
});

/** Options for computing the verdict on a write of a CustomResourceDefinition. */
export interface DefinitionWriteOptions extends Server {
  readonly engine: EngineChoice | undefined;
  readonly admission: WriteAdmission | undefined;
}

/** Returns true if a kind is CustomResourceDefinition. */
export const isDefinitionKind = (apiVersion: string, kind: string): boolean =>
  kind === 'CustomResourceDefinition' && groupOf(apiVersion) === 'apiextensions.k8s.io';

/**
 * Computes the verdict on a create or update of a CustomResourceDefinition under admission policies. First the definition is decoded,
 * defaulted, prepared for storage and validated. Then the validating policies are evaluated. They receive the definition in its v1 form,
 * including its status. Mutating policies are not evaluated.
 */
export function judgeDefinitionWrite(write: ObjectWrite, { minor, gates, engine, admission }: DefinitionWriteOptions): WriteVerdict {
  const { body, contentType, oldObject, operation, subresource, fieldValidation, ownedFields } = write;
  const strictness = (['Strict', 'Warn', 'Ignore'] as const).find((known) => known === fieldValidation) ?? 'Warn';
  const verdict = judgeDefinition(body, oldObject, {
    minor,
    gates,
    engine,
    fieldValidation: strictness,
    ownedFields,
    ...(contentType !== undefined && { contentType }),
  });
  const { stored, status, errors, warnings } = verdict;
  if (status !== undefined) return refusedDefinition(status, errors, warnings);
  const old = oldObject && storedDefinition(oldObject);
  if (oldObject !== undefined && old === undefined)
    return refusedDefinition(badRequestStatus('oldObject: no definition that can be read'), [], warnings);
  const object = stored as JsonObject;
  const answer = admission?.validate({ operation, subresource, object, oldObject: old });
  const allWarnings = [...warnings, ...(answer?.warnings ?? [])];
  if (answer?.refusal !== undefined) return refusedDefinition(answer.refusal, [], allWarnings);
  return { accepted: true, object, warnings: allWarnings, cost: { cel: undefined } };
}

const refusedDefinition = (status: Status, errors: WriteVerdictErrors, warnings: readonly string[]): WriteVerdict => ({
  accepted: false,
  status,
  errors,
  warnings,
  cost: { cel: undefined },
});

type WriteVerdictErrors = Extract<WriteVerdict, { readonly accepted: false }>['errors'];
