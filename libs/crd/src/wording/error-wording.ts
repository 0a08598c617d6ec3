import type { BadValue, FieldError, Minor } from '#kube';
import { goSyntax, floatOf, isJsonObject, base64Bytes, goQuote, compareBytes } from '#go';
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

const SCHEMA = 'apiextensions.JSONSchemaProps';
const pointers = (type: string, ...fields: readonly string[]): Record<string, string> =>
  Object.fromEntries(fields.map((field) => [field, `*${type}`]));

/**
 * Go types of struct fields, by struct name. Fields with strings, booleans and numbers are left out. Source: apiextensions-apiserver
 * pkg/apis/apiextensions/types.go, types_jsonschema.go (1.33).
 */
const STRUCTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'apiextensions.ValidationRule': { Reason: '*apiextensions.FieldValueErrorReason', OptionalOldSelf: '*bool' },
  [SCHEMA]: {
    ...pointers('string', 'Ref', 'XListType', 'XMapType'),
    ...pointers('apiextensions.JSON', 'Default', 'Example'),
    ...pointers('float64', 'Maximum', 'Minimum', 'MultipleOf'),
    ...pointers('int64', 'MaxLength', 'MinLength', 'MaxItems', 'MinItems', 'MaxProperties', 'MinProperties'),
    ...pointers('apiextensions.JSONSchemaPropsOrBool', 'AdditionalProperties', 'AdditionalItems'),
    Enum: '[]apiextensions.JSON',
    Required: '[]string',
    Items: '*apiextensions.JSONSchemaPropsOrArray',
    AllOf: `[]${SCHEMA}`,
    OneOf: `[]${SCHEMA}`,
    AnyOf: `[]${SCHEMA}`,
    Not: `*${SCHEMA}`,
    Properties: `map[string]${SCHEMA}`,
    PatternProperties: `map[string]${SCHEMA}`,
    Dependencies: 'apiextensions.JSONSchemaDependencies',
    Definitions: 'apiextensions.JSONSchemaDefinitions',
    ExternalDocs: '*apiextensions.ExternalDocumentation',
    XPreserveUnknownFields: '*bool',
    XListMapKeys: '[]string',
    XValidations: 'apiextensions.ValidationRules',
  },
  'apiextensions.JSONSchemaPropsOrArray': { Schema: `*${SCHEMA}`, JSONSchemas: `[]${SCHEMA}` },
  'apiextensions.JSONSchemaPropsOrStringArray': { Schema: `*${SCHEMA}`, Property: '[]string' },
  'apiextensions.CustomResourceDefinitionVersion': {
    DeprecationWarning: '*string',
    Schema: '*apiextensions.CustomResourceValidation',
    Subresources: '*apiextensions.CustomResourceSubresources',
    AdditionalPrinterColumns: '[]apiextensions.CustomResourceColumnDefinition',
    SelectableFields: '[]apiextensions.SelectableField',
  },
  'apiextensions.CustomResourceColumnDefinition': {},
  'apiextensions.SelectableField': {},
};

/** Underlying Go type of each named list or map type, by its name. */
const NAMED: Readonly<Record<string, string>> = {
  'apiextensions.ValidationRules': '[]apiextensions.ValidationRule',
  'apiextensions.JSONSchemaDependencies': 'map[string]apiextensions.JSONSchemaPropsOrStringArray',
  'apiextensions.JSONSchemaDefinitions': `map[string]${SCHEMA}`,
};

/** Returns the Go struct type of a JSON object that has a field which only that struct has. Returns undefined for any other value. */
function structOf(value: JsonValue): string | undefined {
  if (!isJsonObject(value)) return undefined;
  if ('Rule' in value) return 'apiextensions.ValidationRule';
  if ('XValidations' in value) return SCHEMA;
  return 'JSONSchemas' in value ? 'apiextensions.JSONSchemaPropsOrArray' : undefined;
}

/** Go types of the list fields of definitions, by the last part of the field path. */
const LISTS: readonly (readonly [end: string, type: string])[] = [
  ['spec.versions', '[]apiextensions.CustomResourceDefinitionVersion'],
  ['storedVersions', '[]string'],
  ['conversionReviewVersions', '[]string'],
  ['x-kubernetes-list-map-keys', '[]string'],
];

/**
 * Returns the value in an error about a definition, in the form of Go's `%#v`. Go writes a pointer as an address, which differs in each
 * run; this function writes one fixed address.
 *
 * @param field field path of the error. It determines the type if the value alone does not.
 */
function definitionSyntax(value: JsonValue, field: string): string {
  const list = LISTS.find(([end]) => field.endsWith(end))?.[1];
  if (list !== undefined && (value === null || Array.isArray(value))) return typed(value, list);
  if (value === null) return '"null"';
  if (field.endsWith('.caBundle') && typeof value === 'string') return bytesSyntax(base64Bytes(value));
  const struct = structOf(value);
  return struct === undefined ? goSyntax(value) : typed(value, struct);
}

function bytesSyntax(bytes: Uint8Array): string {
  return `[]byte{${[...bytes].map((byte) => `0x${byte.toString(16)}`).join(', ')}}`;
}

function typed(value: JsonValue, type: string): string {
  if (type.startsWith('*')) return `(${type})(${value === null ? 'nil' : '0xc000000000'})`;
  if (type === 'apiextensions.JSON') return value === null ? `${type}(nil)` : goSyntax(value);
  const form = NAMED[type] ?? type;
  const isList = form.startsWith('[]');
  const isMap = form.startsWith('map[string]');
  if (value === null && (isList || isMap)) return `${type}(nil)`;
  if (isList && Array.isArray(value)) return `${type}{${value.map((item) => typed(item, form.slice(2))).join(', ')}}`;
  if (!isJsonObject(value)) return scalar(value);
  if (isMap) {
    const keys = Object.keys(value).sort(compareBytes);
    return `${type}{${keys.map((key) => `${goQuote(key)}:${typed(value[key] as JsonValue, form.slice('map[string]'.length))}`).join(', ')}}`;
  }
  const fields = STRUCTS[type] ?? {};
  return `${type}{${Object.keys(value)
    .map((name) => `${name}:${typed(value[name] as JsonValue, fields[name] ?? '')}`)
    .join(', ')}}`;
}

function scalar(value: JsonValue): string {
  if (typeof value === 'string' || value === null) return goQuote(value ?? '');
  return goSyntax(value);
}
