import { fieldErrorText, invalid, notSupported, required, wordedBecauseOf } from '../field-error.ts';
import type { FieldError } from '../field-error.ts';
import { childPath, indexPath } from '../field-path.ts';
import type { FieldPath } from '../field-path.ts';
import { KUBE_CHANGES } from '../minors.ts';
import { OPERATIONS } from './object-meta.ts';
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from './object-meta.ts';

const IMMUTABLE = ['creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

/**
 * Returns the errors of the declarative rules for metadata. Values that an update does not change are not checked. Source:
 * k8s.io/apimachinery/pkg/apis/meta/v1/validation/zz_generated.validations.go `Validate_ObjectMeta`, the rules marked as beta (1.38).
 */
function declaredErrors(meta: ObjectMeta, old: ObjectMeta | undefined, path: FieldPath | undefined): FieldError[] {
  const at = (field: string): FieldPath => childPath(path, field);
  const errors: FieldError[] = [];
  if (old !== undefined && meta.uid !== old.uid) errors.push(immutable(at('uid')));
  if (meta.generation < 0 && meta.generation !== old?.generation) {
    errors.push(invalid(at('generation'), meta.generation, 'must be greater than or equal to 0'));
  }
  for (const field of IMMUTABLE) if (old !== undefined && meta[field] !== old[field]) errors.push(immutable(at(field)));
  if (!areSame(meta.ownerReferences, old?.ownerReferences)) errors.push(...ownerErrors(meta.ownerReferences, at('ownerReferences')));
  if (!areSame(meta.managedFields, old?.managedFields)) errors.push(...operationErrors(meta.managedFields, at('managedFields')));
  return errors;
}

const immutable = (path: FieldPath): FieldError => invalid(path, null, 'field is immutable');

const areSame = <T>(items: readonly T[], old: readonly T[] | undefined): boolean => JSON.stringify(items) === JSON.stringify(old);

function ownerErrors(references: readonly OwnerReference[], path: FieldPath): FieldError[] {
  const fields = ['apiVersion', 'kind', 'name', 'uid'] as const;
  return references.flatMap((reference, index) =>
    fields.filter((field) => reference[field] === '').map((field) => required(childPath(indexPath(path, index), field), '')),
  );
}

function operationErrors(entries: readonly ManagedFieldsEntry[], path: FieldPath): FieldError[] {
  return entries.flatMap(({ operation }, index) => {
    const at = childPath(indexPath(path, index), 'operation');
    if (operation === '') return [required(at, '')];
    return OPERATIONS.includes(operation) ? [] : [notSupported(at, operation, OPERATIONS)];
  });
}

/**
 * Replaces each error in metadata that a declarative rule reports, too. The errors of these rules come last. Source:
 * k8s.io/apimachinery/pkg/api/validate/errors.go `FilterCoveredHandwrittenErrors` (1.38).
 */
export function enforceDeclaredRules(
  errors: readonly FieldError[],
  meta: ObjectMeta,
  old: ObjectMeta | undefined,
  path: FieldPath | undefined,
): FieldError[] {
  if (errors.length === 0) return [];
  const declared = declaredErrors(meta, old, path);
  const isCovered = (error: FieldError): boolean =>
    declared.some(
      ({ type, field, detail }) =>
        error.type === type && error.field === field && (type !== 'FieldValueInvalid' || error.detail === detail),
    );
  return [...errors.filter((error) => !isCovered(error)), ...declared.map((error) => enforced(error, errors))];
}

/** Returns the error of a declarative rule with the difference that replaced the words of another error by its words. */
function enforced(error: FieldError, handwritten: readonly FieldError[]): FieldError {
  const same = handwritten.find((other) => fieldErrorText(other) === fieldErrorText(error));
  return same ?? wordedBecauseOf(error, KUBE_CHANGES.metadataRulesAreEnforced);
}
