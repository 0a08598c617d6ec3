import { floatOf, formatFloat, isJsonInt, isJsonObject } from '#go';
import { childPath, invalid } from '#kube';
import type { JsonObject, JsonValue } from '#go';
import type { FieldError } from '#kube';

/** Paths of the object's fields that the scale subresource reads and writes. */
export interface Scale {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath: string | undefined;
}

/** Highest allowed number of replicas, the largest int32. */
export const MAX_REPLICAS = 2147483647;

/** Splits a dotted path into its field names. */
export const fieldsOfPath = (path: string): readonly string[] => path.replace(/^\./, '').split('.');

/**
 * Returns the value at a dotted path, or an error if a value on the path is no object. Source: apimachinery unstructured/helpers.go
 * `NestedFieldNoCopy`.
 */
function nested(object: JsonObject, path: string): { value: JsonValue | undefined } | { error: string } {
  const fields = fieldsOfPath(path);
  let value: JsonValue = object;
  for (const [i, field] of fields.entries()) {
    if (value === null) return { value: undefined };
    if (!isJsonObject(value)) {
      const at = `.${fields.slice(0, i + 1).join('.')}`;
      return { error: `${at} accessor error: ${goValue(value)} is of the type ${goType(value)}, expected map[string]interface{}` };
    }
    const next: JsonValue | undefined = value[field];
    if (next === undefined) return { value: undefined };
    value = next;
  }
  return { value };
}

function goType(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (isJsonInt(value)) return 'int64';
  if (Array.isArray(value)) return '[]interface {}';
  return isJsonObject(value) ? 'map[string]interface {}' : 'float64';
}

/** Returns a value in the form in which Go's `%v` prints it. */
function goValue(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`;
  if (isJsonObject(value))
    return `map[${Object.keys(value)
      .sort()
      .map((key) => `${key}:${goValue(value[key] as JsonValue)}`)
      .join(' ')}]`;
  const float = floatOf(value);
  return float === undefined ? String(value) : formatFloat(float);
}

function validateReplicas(object: JsonObject, path: string, errors: FieldError[]): void {
  const found = nested(object, path);
  const at = childPath(undefined, path);
  if ('error' in found) {
    errors.push(invalid(at, 0, found.error));
    return;
  }
  const { value } = found;
  if (value === undefined) return;
  if (!isJsonInt(value)) {
    const where = `.${path.replace(/^\./, '')}`;
    errors.push(invalid(at, 0, `${where} accessor error: ${goValue(value)} is of the type ${goType(value)}, expected int64`));
  } else if (value < 0) errors.push(invalid(at, value, 'should be a non-negative integer'));
  else if (value > MAX_REPLICAS) errors.push(invalid(at, value, `should be less than or equal to ${MAX_REPLICAS}`));
}

/**
 * Validates the replica count under spec. Source: apiextensions-apiserver pkg/registry/customresource/validator.go `ValidateScaleSpec`
 * (1.37).
 */
export function validateScaleSpec(object: JsonObject, scale: Scale, errors: FieldError[]): void {
  validateReplicas(object, scale.specReplicasPath, errors);
}

/**
 * Validates the fields of an object from which the status of its scale subresource is read: the replica count and the label selector. Adds
 * problems to `errors`. Source: `ValidateScaleStatus` (1.37).
 */
export function validateScaleStatus(object: JsonObject, scale: Scale, errors: FieldError[]): void {
  validateReplicas(object, scale.statusReplicasPath, errors);
  if (scale.labelSelectorPath === undefined) return;
  const found = nested(object, scale.labelSelectorPath);
  const at = childPath(undefined, scale.labelSelectorPath);
  if ('error' in found) errors.push(invalid(at, '', found.error));
  else if (found.value !== undefined && typeof found.value !== 'string') {
    const where = `.${scale.labelSelectorPath.replace(/^\./, '')}`;
    errors.push(invalid(at, '', `${where} accessor error: ${goValue(found.value)} is of the type ${goType(found.value)}, expected string`));
  }
}
