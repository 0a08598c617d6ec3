import { childPath, forbidden, invalid, structValue } from '#kube';
import type { FieldError, FieldPath } from '#kube';
import { schemaStruct } from '../../schema/go-struct-json.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';

/** Fields that the root of a schema may have if the status subresource is enabled, in the order of the error message. */
const ALLOWED: readonly string[] = [
  ['Description', 'Type', 'Format', 'Title', 'Maximum', 'ExclusiveMaximum', 'Minimum', 'ExclusiveMinimum', 'MaxLength', 'MinLength'],
  ['Pattern', 'MaxItems', 'MinItems', 'UniqueItems', 'MultipleOf', 'Required', 'Items', 'Properties', 'ExternalDocs', 'Example'],
  ['XPreserveUnknownFields', 'XValidations'],
].flat();
const ALLOWED_SET: ReadonlySet<string> = new Set(ALLOWED);

/** Fields that count as set even if their value is empty, because they are pointers in Go. */
const POINTERS: ReadonlySet<string> = new Set(['Ref', 'Default', 'Example', 'XPreserveUnknownFields', 'XListType', 'XMapType']);

/**
 * Returns errors for the fields that the root of a schema must not have. Source: validation.go
 * `validateCustomResourceDefinitionValidation` (1.37).
 */
export function validateRootSchema(schema: SchemaProps, path: FieldPath, statusEnabled: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (statusEnabled) {
    // Items and properties are always allowed, so their values, which may be large, are omitted.
    const json = schemaStruct({ ...schema, items: undefined, properties: undefined });
    for (const field of Object.keys(json)) {
      const value = json[field];
      if (value === null || ((value === '' || value === false) && !POINTERS.has(field))) continue;
      if (field === 'Type') {
        if (schema.type === 'object') continue;
        const detail = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
        errors.push(invalid(childPath(path, 'type'), schema.type, detail));
        break;
      }
      if (ALLOWED_SET.has(field)) continue;
      const detail = `only [${ALLOWED.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
      errors.push(invalid(path, structValue(schemaStruct(schema)), detail));
      break;
    }
  }
  if (schema.nullable) errors.push(forbidden(childPath(path, 'nullable'), 'nullable cannot be true at the root'));
  return errors;
}
