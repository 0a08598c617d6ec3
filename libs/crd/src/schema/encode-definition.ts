import { newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type {
  Conversion,
  Definition,
  DefinitionNames,
  DefinitionVersion,
  PrinterColumn,
  Subresources,
  WebhookClientConfig,
} from './definition.ts';
import { ABSENT_LIST } from './schema-props.ts';
import type { SchemaProps } from './schema-props.ts';

function object(entries: readonly (readonly [string, JsonValue | undefined])[]): JsonObject {
  const json = newJsonObject();
  for (const [key, value] of entries) if (value !== undefined) json[key] = value;
  return json;
}

const text = (value: string): string | undefined => (value === '' ? undefined : value);
const list = <T>(items: readonly T[], encode: (item: T) => JsonValue): JsonValue | undefined =>
  items.length === 0 ? undefined : items.map(encode);
const strings = (items: readonly string[]): JsonValue | undefined => list(items, (item) => item);

function encodeNames(names: DefinitionNames): JsonObject {
  return object([
    ['plural', names.plural],
    ['singular', text(names.singular)],
    ['shortNames', strings(names.shortNames)],
    ['kind', names.kind],
    ['listKind', text(names.listKind)],
    ['categories', strings(names.categories)],
  ]);
}

function encodeSubresources({ status, scale }: Subresources): JsonObject {
  return object([
    ['status', status ? newJsonObject() : undefined],
    [
      'scale',
      scale &&
        object([
          ['specReplicasPath', scale.specReplicasPath],
          ['statusReplicasPath', scale.statusReplicasPath],
          ['labelSelectorPath', scale.labelSelectorPath],
        ]),
    ],
  ]);
}

function encodeColumn(column: PrinterColumn): JsonObject {
  return object([
    ['name', column.name],
    ['type', column.type],
    ['format', text(column.format)],
    ['description', text(column.description)],
    ['priority', column.priority === 0 ? undefined : column.priority],
    ['jsonPath', column.jsonPath],
  ]);
}

function encodeVersion(version: DefinitionVersion): JsonObject {
  return object([
    ['name', version.name],
    ['served', version.served],
    ['storage', version.storage],
    ['deprecated', version.deprecated ? true : undefined],
    ['deprecationWarning', version.deprecationWarning],
    ['schema', version.hasValidation ? object([['openAPIV3Schema', version.schema && encodeSchema(version.schema)]]) : undefined],
    ['subresources', version.subresources && encodeSubresources(version.subresources)],
    ['additionalPrinterColumns', list(version.printerColumns, encodeColumn)],
    ['selectableFields', list(version.selectableFields, (path) => object([['jsonPath', path]]))],
  ]);
}

function encodeClientConfig(config: WebhookClientConfig): JsonObject {
  const service = config.service;
  return object([
    ['url', config.url],
    [
      'service',
      service &&
        object([
          ['namespace', service.namespace],
          ['name', service.name],
          ['path', service.path],
          ['port', service.port],
        ]),
    ],
    ['caBundle', text(config.caBundle ?? '')],
  ]);
}

function encodeConversion(conversion: Conversion): JsonObject {
  const webhook = conversion.webhook;
  return object([
    ['strategy', conversion.strategy],
    [
      'webhook',
      webhook &&
        object([
          ['clientConfig', webhook.clientConfig && encodeClientConfig(webhook.clientConfig)],
          ['conversionReviewVersions', webhook.conversionReviewVersions === ABSENT_LIST ? null : [...webhook.conversionReviewVersions]],
        ]),
    ],
  ]);
}

/** Returns a definition in its v1 JSON form. Source: apiextensions-apiserver pkg/apis/apiextensions/v1/types.go (1.37). */
export function encodeDefinition({ metadata, spec, status }: Definition): JsonObject {
  return object([
    ['apiVersion', 'apiextensions.k8s.io/v1'],
    ['kind', 'CustomResourceDefinition'],
    ['metadata', metadata],
    [
      'spec',
      object([
        ['group', spec.group],
        ['names', encodeNames(spec.names)],
        ['scope', spec.scope],
        ['versions', list(spec.versions, encodeVersion) ?? null],
        ['conversion', spec.conversion && encodeConversion(spec.conversion)],
        ['preserveUnknownFields', spec.preserveUnknownFields ? true : undefined],
      ]),
    ],
    [
      'status',
      object([
        ['conditions', list(status.conditions, (condition) => condition.json) ?? null],
        ['acceptedNames', encodeNames(status.acceptedNames)],
        ['storedVersions', strings(status.storedVersions) ?? null],
        ['observedGeneration', status.observedGeneration],
      ]),
    ],
  ]);
}

/** Returns a schema in its v1 JSON form. Source: apiextensions-apiserver pkg/apis/apiextensions/v1/types_jsonschema.go (1.37). */
export function encodeSchema(schema: SchemaProps): JsonObject {
  const json = newJsonObject();
  for (const { name, field, form } of schema.vocabulary.keywords) {
    const value = form.encode(schema[field]);
    if (value !== undefined) json[name] = value;
  }
  return json;
}
