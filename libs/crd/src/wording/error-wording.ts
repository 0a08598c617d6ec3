import { definitionSyntax } from './definition-syntax.ts';
import type { BadValue, FieldError, Minor } from '#kube';
import { goSyntax, floatOf, isJsonObject } from '#go';
import type { JsonValue } from '#go';
import { KUBE_CHANGES, kubeHas, showsBadValue, wordedBecauseOf } from '#kube';

/**
 * Returns errors about decoded objects with the texts of the given Kubernetes minor version. Only the texts differ, so the result is for
 * display and not for comparison. Source: `ErrorBody` in k8s.io/apimachinery/pkg/util/validation/field/errors.go (1.33, 1.34).
 */
export function wordedErrors(errors: readonly FieldError[], minor: Minor): readonly FieldError[] {
  if (kubeHas(minor, 'valuesAreJson')) return errors;
  return errors.map((error) => {
    if (error.badValue.kind !== 'json') return error;
    const badValue = before134(error.badValue.value);
    const changes = badValue.kind === 'go' && showsBadValue(error) ? [KUBE_CHANGES.valuesAreJson] : [];
    return wordedBecauseOf({ ...error, badValue }, ...changes);
  });
}

/** Returns errors about definitions with the texts of the given Kubernetes minor version. */
export function wordedDefinitionErrors(errors: readonly FieldError[], minor: Minor): readonly FieldError[] {
  if (kubeHas(minor, 'valuesAreJson')) return errors;
  return errors.map((error) => {
    const { kind, value } = error.badValue.kind === 'omitted' ? { kind: 'omitted', value: null } : error.badValue;
    if (kind !== 'json' && kind !== 'struct') return error;
    return { ...error, badValue: { kind: 'go', value, text: definitionSyntax(value, error.field) } };
  });
}

function before134(value: JsonValue): BadValue {
  if (value === null) return { kind: 'go', value, text: '"null"' };
  const inGo = Array.isArray(value) || isJsonObject(value) || floatOf(value) !== undefined;
  return inGo ? { kind: 'go', value, text: goSyntax(value) } : { kind: 'json', value };
}
