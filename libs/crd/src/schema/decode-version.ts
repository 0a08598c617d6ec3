import type { JsonObject, JsonValue } from '#go';
import type { Scale } from '../object/write/scale.ts';
import { decodeSchema } from './decode-schema.ts';
import { joinPath } from './decoder.ts';
import type { SchemaDecoder } from './decode-schema.ts';
import { ABSENT_LIST } from './schema-props.ts';
import type { SchemaProps } from './schema-props.ts';
import type { DefinitionVersion, PrinterColumn, Subresources } from './definition.ts';

const VERSION = new Set([
  'name',
  'served',
  'storage',
  'deprecated',
  'deprecationWarning',
  'schema',
  'subresources',
  'additionalPrinterColumns',
  'selectableFields',
]);
const VALIDATION = new Set(['openAPIV3Schema']);
const SUBRESOURCES = new Set(['status', 'scale']);
const SCALE = new Set(['specReplicasPath', 'statusReplicasPath', 'labelSelectorPath']);
const columnFields = (path: ColumnPathKey): ReadonlySet<string> => new Set(['name', 'type', 'format', 'description', 'priority', path]);
const COLUMNS = { jsonPath: columnFields('jsonPath'), JSONPath: columnFields('JSONPath') };
const SELECTABLE = new Set(['jsonPath']);

/**
 * Parts of a version: validation, subresources, printer columns and selectable fields. In v1beta1, each of these parts is declared either
 * in the version or once at the top level. A missing part is undefined.
 */
export interface VersionParts {
  readonly validation: Validation | undefined;
  readonly subresources: Subresources | undefined;
  readonly printerColumns: readonly PrinterColumn[] | undefined;
  readonly selectableFields: readonly string[] | undefined;
}

/** Validation of a version. It can be present without a schema. */
interface Validation {
  readonly schema: SchemaProps | undefined;
}

/** Name of the field with the JSON path of an additional printer column: `jsonPath` in v1, `JSONPath` in v1beta1. */
export type ColumnPathKey = 'jsonPath' | 'JSONPath';

/**
 * Decodes the list of versions of a definition. Returns undefined if there is no list. `columnPath` is the name of the field with the JSON
 * path of a printer column, which differs between v1 and v1beta1.
 */
export function decodeVersions(
  decoder: SchemaDecoder,
  value: JsonValue | undefined,
  path: string,
  columnPath: ColumnPathKey,
): DefinitionVersion[] | undefined {
  return decoder.list(value, path, '[]v1.CustomResourceDefinitionVersion', (item, where) =>
    decodeVersion(decoder, item, where, columnPath),
  );
}

function decodeVersion(decoder: SchemaDecoder, value: JsonValue, path: string, columnPath: ColumnPathKey): DefinitionVersion {
  const json = decoder.fields(value, path, 'v1.CustomResourceDefinitionVersion', VERSION);
  const at = (key: string): string => joinPath(path, key);
  const version = {
    name: decoder.string(json?.['name'], at('name')),
    served: decoder.bool(json?.['served'], at('served')),
    storage: decoder.bool(json?.['storage'], at('storage')),
    deprecated: decoder.bool(json?.['deprecated'], at('deprecated')),
    deprecationWarning: decoder.optionalString(json?.['deprecationWarning'], at('deprecationWarning')),
    hasValidation: false,
    schema: undefined,
    subresources: undefined,
    printerColumns: ABSENT_LIST,
    selectableFields: ABSENT_LIST,
  };
  return withParts(version, decodeParts(decoder, json, path, 'schema', columnPath));
}

/** Returns a copy of `version` with the parts that are present in `parts`. */
export function withParts(version: DefinitionVersion, parts: VersionParts): DefinitionVersion {
  return {
    ...version,
    ...(parts.validation && { hasValidation: true, schema: parts.validation.schema }),
    ...(parts.subresources && { subresources: parts.subresources }),
    ...(parts.printerColumns && { printerColumns: parts.printerColumns }),
    ...(parts.selectableFields && { selectableFields: parts.selectableFields }),
  };
}

/**
 * Decodes the validation, subresources, printer columns and selectable fields in `json`, which is a version or the `spec` of a definition.
 * `validationKey` names the validation field: `schema` in a version, `validation` at the top level of v1beta1.
 */
export function decodeParts(
  decoder: SchemaDecoder,
  json: JsonObject | undefined,
  path: string,
  validationKey: 'schema' | 'validation',
  columnPath: ColumnPathKey,
): VersionParts {
  const at = (key: string): string => joinPath(path, key);
  const validation = decoder.fields(json?.[validationKey], at(validationKey), 'v1.CustomResourceValidation', VALIDATION);
  return {
    validation: validation && { schema: decodeSchema(decoder, validation['openAPIV3Schema'], at(`${validationKey}.openAPIV3Schema`)) },
    subresources: decodeSubresources(decoder, json?.['subresources'], at('subresources')),
    printerColumns: decoder.list(
      json?.['additionalPrinterColumns'],
      at('additionalPrinterColumns'),
      '[]v1.CustomResourceColumnDefinition',
      (item, where) => decodeColumn(decoder, item, where, columnPath),
    ),
    selectableFields: decoder.list(json?.['selectableFields'], at('selectableFields'), '[]v1.SelectableField', (item, where) => {
      const field = decoder.fields(item, where, 'v1.SelectableField', SELECTABLE);
      return decoder.string(field?.['jsonPath'], joinPath(where, 'jsonPath'));
    }),
  };
}

function decodeSubresources(decoder: SchemaDecoder, value: JsonValue | undefined, path: string): Subresources | undefined {
  const json = decoder.fields(value, path, 'v1.CustomResourceSubresources', SUBRESOURCES);
  if (json === undefined) return undefined;
  const status = decoder.fields(json['status'], joinPath(path, 'status'), 'v1.CustomResourceSubresourceStatus', new Set());
  return { status: status !== undefined, scale: decodeScale(decoder, json['scale'], joinPath(path, 'scale')) };
}

function decodeScale(decoder: SchemaDecoder, value: JsonValue | undefined, path: string): Scale | undefined {
  const json = decoder.fields(value, path, 'v1.CustomResourceSubresourceScale', SCALE);
  if (json === undefined) return undefined;
  return {
    specReplicasPath: decoder.string(json['specReplicasPath'], joinPath(path, 'specReplicasPath')),
    statusReplicasPath: decoder.string(json['statusReplicasPath'], joinPath(path, 'statusReplicasPath')),
    labelSelectorPath: decoder.optionalString(json['labelSelectorPath'], joinPath(path, 'labelSelectorPath')),
  };
}

function decodeColumn(decoder: SchemaDecoder, value: JsonValue, path: string, columnPath: ColumnPathKey): PrinterColumn {
  const json = decoder.fields(value, path, 'v1.CustomResourceColumnDefinition', COLUMNS[columnPath]);
  return {
    name: decoder.string(json?.['name'], joinPath(path, 'name')),
    type: decoder.string(json?.['type'], joinPath(path, 'type')),
    format: decoder.string(json?.['format'], joinPath(path, 'format')),
    description: decoder.string(json?.['description'], joinPath(path, 'description')),
    priority: decoder.int32(json?.['priority'], joinPath(path, 'priority')) ?? 0,
    jsonPath: decoder.string(json?.[columnPath], joinPath(path, columnPath)),
  };
}
