import { isJsonObject, newJsonObject, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { fieldErrorText, LATEST_MINOR } from '#kube';
import type { FieldError, Minor, Status } from '#kube';
import { compileStoredDefinition } from '../definition/compile-definition.ts';
import { judgeDefinition } from '../definition/judge-definition.ts';
import { validateObject } from '../object/validate-object.ts';
import type { ObjectWrite, ValidationOptions, ObjectVerdict } from '../verdict.ts';

/*
 * Verdicts as the lines of a table. A refusal is its errors, or its code and message where it has none; errors are sorted, since upstream
 * meets properties in the order of a Go map. Warnings follow, in their order.
 */

const linesOf = (status: Status | undefined, errors: readonly FieldError[], warnings: readonly string[], accepted: string): string[] => {
  const refusal = errors.length > 0 ? errors.map(fieldErrorText).toSorted() : [`${status?.code} ${status?.message}`];
  return [...(status === undefined ? [accepted] : refusal), ...warnings.map((text) => `warning: ${text}`)];
};

/** Returns the server's response to the creation of a definition, or to its replacement if `old` is given, as lines of text. */
export function definitionLines(document: JsonObject, old?: JsonObject, minor: Minor = LATEST_MINOR): string[] {
  const { status, errors, warnings } = judgeDefinition(document, old, { minor });
  return linesOf(status, errors, warnings, 'accepted');
}

/** Write of an object: the body, the stored object if there is one, and other fields of the request. */
export type Write = Partial<Omit<ObjectWrite, 'body' | 'oldObject'>> & { readonly body: JsonObject; readonly old?: JsonObject };

/** Default uid of stored objects without a uid. */
const UID = '00000000-0000-4000-8000-000000000001';
/** Default resourceVersion of stored objects without a resourceVersion. */
const REVISION = '1000';

/** Returns a stored object. Metadata fields that every stored object has are added if they are missing. */
function stored(old: JsonObject): JsonObject {
  const more = { namespace: 'default', uid: UID, resourceVersion: REVISION, creationTimestamp: '2020-01-01T00:00:00Z' };
  const metadata = Object.assign(newJsonObject(), more, old['metadata']);
  return Object.assign(newJsonObject(), old, { metadata });
}

/**
 * Returns the server's response to a write of an object of a stored definition, as lines of text. If the write is accepted, the first line
 * is the stored object as JSON with sorted keys, without type, name and namespace.
 */
export function objectLines(
  definition: JsonObject,
  { body, old, ...more }: Write,
  options: ValidationOptions = {},
  minor: Minor = LATEST_MINOR,
): string[] {
  const compiled = compileStoredDefinition(definition, { minor });
  if (!compiled.ok) throw new Error(compiled.status.message);
  const operation = old === undefined ? 'CREATE' : 'UPDATE';
  const write = { operation, fieldValidation: 'Warn', ...more, body, ...(old && { oldObject: stored(old) }) } as const;
  const verdict = validateObject(compiled.definition, write, options);
  if ('cancelled' in verdict) throw new Error('cancelled');
  return verdict.accepted
    ? linesOf(undefined, [], verdict.warnings, storedText(verdict.object))
    : linesOf(verdict.status, verdict.errors, verdict.warnings, '');
}

/** Returns a stored object as one line of text: JSON with sorted keys, without type, name and namespace. */
export function storedText(object: JsonObject): string {
  const { apiVersion: _, kind: __, metadata, ...rest } = object;
  const { name: ___, namespace: ____, ...shown } = isJsonObject(metadata) ? metadata : {};
  return `stores ${writeJson(sorted({ metadata: shown, ...rest }))}`;
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.assign(
    newJsonObject(),
    Object.fromEntries(
      Object.keys(value)
        .toSorted()
        .map((key) => [key, sorted(value[key] as JsonValue)]),
    ),
  );
}

/**
 * Returns the conditions that can be derived from a definition alone, even if the definition is rejected. Each line has the form
 * `type=status reason: message`.
 */
export function conditionLines(document: JsonObject): string[] {
  const { conditions } = judgeDefinition(document, undefined, { minor: LATEST_MINOR });
  return conditions.map(({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`);
}

/**
 * Returns a verdict as text, so that verdicts can be compared. The text omits the times of the steps. The keys of the stored object keep
 * their order.
 */
export function verdictText(verdict: ObjectVerdict): string {
  if ('cancelled' in verdict) return 'cancelled';
  const { accepted, warnings, cost, sent, takenOff } = verdict;
  const outcome = accepted
    ? writeJson(verdict.object, { escapeHtml: false, keys: 'own' })
    : [verdict.status, verdict.errors.map(fieldErrorText)];
  return JSON.stringify([accepted, outcome, warnings, cost, sent, takenOff]);
}
