import { isJsonObject, scalarList } from '#go';
import {
  checkDns1035Label,
  checkPathSegmentName,
  checkPathSegmentPrefix,
  childPath,
  indexPath,
  invalid,
  keyPath,
  readObjectMeta,
  required,
  validateObjectMeta,
} from '#kube';
import type { JsonObject, JsonValue } from '#go';
import type { FieldError, FieldPath, MetaWording } from '#kube';
import type { Structural } from '../../structural/structural.ts';
import { coerceMetadata } from './typed-metadata.ts';

/**
 * Validates the TypeMeta and ObjectMeta of embedded resources. Source: apiextensions-apiserver
 * pkg/apiserver/schema/objectmeta/validation.go (1.37).
 */
export function validateEmbedded(
  path: FieldPath | undefined,
  value: JsonValue,
  schema: Structural | undefined,
  wording: MetaWording,
): FieldError[] {
  const errors: FieldError[] = [];
  validate(path, value, schema, wording, errors);
  return errors;
}

function validate(
  path: FieldPath | undefined,
  value: JsonValue,
  schema: Structural | undefined,
  wording: MetaWording,
  errors: FieldError[],
): void {
  if (schema === undefined || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    if (scalarList(value) !== undefined) return;
    value.forEach((item, index) => validate(indexPath(path, index), item, schema.items, wording, errors));
    return;
  }
  if (!isJsonObject(value)) return;
  if (schema.embeddedResource) validateResource(path, value, wording, errors);
  for (const key of Object.keys(value)) {
    const property = schema.properties?.get(key);
    if (property !== undefined) validate(childPath(path, key), value[key] as JsonValue, property, wording, errors);
    else if (schema.additionalProperties !== undefined) {
      validate(keyPath(path, key), value[key] as JsonValue, schema.additionalProperties, wording, errors);
    }
  }
}

function validateResource(path: FieldPath | undefined, resource: JsonObject, wording: MetaWording, errors: FieldError[]): void {
  const apiVersion = resource['apiVersion'];
  const kind = resource['kind'];
  const metadata = resource['metadata'];
  if (apiVersion === undefined) errors.push(required(childPath(path, 'apiVersion'), wording.missingTypeMeta));
  if (kind === undefined) errors.push(required(childPath(path, 'kind'), wording.missingTypeMeta));
  if (apiVersion !== undefined) {
    const at = childPath(path, 'apiVersion');
    if (typeof apiVersion !== 'string') errors.push(invalid(at, apiVersion, 'must be a string'));
    else if (apiVersion === '') errors.push(invalid(at, apiVersion, 'must not be empty'));
    else if (apiVersion.split('/').length > 2) errors.push(invalid(at, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  }
  if (kind !== undefined) {
    const at = childPath(path, 'kind');
    if (typeof kind !== 'string') errors.push(invalid(at, kind, 'must be a string'));
    else if (kind === '') errors.push(invalid(at, kind, 'must not be empty'));
    else {
      const texts = checkDns1035Label(kind.toLowerCase());
      if (texts.length > 0) errors.push(invalid(at, kind, `may have mixed case, but should otherwise match: ${texts.join(',')}`));
    }
  }
  if (metadata === undefined) return;
  const at = childPath(path, 'metadata');
  const typed = coerceMetadata(metadata, 'reject');
  if (!typed.ok) {
    errors.push(invalid(at, metadata, typed.error));
    return;
  }
  const meta = readObjectMeta(typed.metadata);
  const named = meta.name === '' ? { ...meta, name: 'fakename' } : meta;
  const rules = {
    namespaced: meta.namespace !== '',
    checkName: checkPathSegmentName,
    checkPrefix: checkPathSegmentPrefix,
    wording,
    distinct: wording.distinctErrors,
  };
  errors.push(...validateObjectMeta(named, rules, at));
}
