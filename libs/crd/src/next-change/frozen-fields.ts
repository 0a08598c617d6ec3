import type { JsonObject } from '#go';
import type { CompiledDefinition } from '../definition/compile-definition.ts';
import { validateObject } from '../object/validate-object.ts';
import type { ObjectVerdict, ObjectWrite, ValidationOptions } from '../verdict.ts';
import { locateValue, valueAt, withValue } from './locate-value.ts';
import { otherValues } from './other-values.ts';

/** Maximum number of fields of one object that `frozenFields` tries to change. */
const FIELDS_TRIED = 5;

/**
 * Returns the paths of fields that an update apparently cannot change. Tries other values for the first `FIELDS_TRIED` of `paths`. A field
 * is returned if the server accepts some of these values in a create, but none of the accepted values in an update.
 */
export function frozenFields(
  definition: CompiledDefinition,
  object: JsonObject,
  write: Pick<ObjectWrite, 'fieldValidation' | 'version'>,
  { paths, ...options }: ValidationOptions & { readonly paths: readonly string[] },
): readonly string[] {
  const judge = (changed: JsonObject, before: Pick<ObjectWrite, 'operation' | 'oldObject' | 'ownedFields'>): ObjectVerdict =>
    validateObject(definition, { ...write, ...before, body: changed }, options);
  return paths.slice(0, FIELDS_TRIED).filter((path) => {
    const { steps, whole } = locateValue(object, path);
    if (!whole || steps.length === 0) return false;
    const edits = otherValues(valueAt(object, steps), undefined).map((other) => withValue(object, steps, other) as JsonObject);
    const possible = edits.filter((edit) => isAccepted(judge(edit, { operation: 'CREATE', ownedFields: 'takenOff' })));
    return possible.length > 0 && possible.every((edit) => !isAccepted(judge(edit, { operation: 'UPDATE', oldObject: object })));
  });
}

const isAccepted = (verdict: ObjectVerdict): boolean => 'accepted' in verdict && verdict.accepted;
