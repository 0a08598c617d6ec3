import { isJsonObject, newJsonObject } from '#kube';
import type { JsonObject, JsonValue } from '#kube';
import { coerceMetadata } from '../write/typed-metadata.ts';
import type { Scale } from '../write/scale.ts';
import { decodeSchema } from './decode-schema.ts';
import { Decoder, joinPath } from './decoder.ts';
import { ABSENT } from './schema-props.ts';
import type {
  Conversion,
  Definition,
  DefinitionNames,
  DefinitionSpec,
  DefinitionStatus,
  DefinitionVersion,
  PrinterColumn,
  ServiceReference,
  StoredCondition,
  Subresources,
  WebhookClientConfig,
} from './definition.ts';

/** A definition with the paths of fields that it does not have; or the text of the decode error. */
export type DefinitionReading =
  | { readonly ok: true; readonly definition: Definition; readonly unknownFields: readonly string[] }
  | { readonly ok: false; readonly error: string };

const known = (...names: readonly string[]): ReadonlySet<string> => new Set(names);
const ROOT = known('apiVersion', 'kind', 'metadata', 'spec', 'status');
const SPEC = known('group', 'names', 'scope', 'versions', 'conversion', 'preserveUnknownFields');
const NAMES = known('plural', 'singular', 'shortNames', 'kind', 'listKind', 'categories');
const VERSION = known(
  'name',
  'served',
  'storage',
  'deprecated',
  'deprecationWarning',
  'schema',
  'subresources',
  'additionalPrinterColumns',
  'selectableFields',
);
const VALIDATION = known('openAPIV3Schema');
const SUBRESOURCES = known('status', 'scale');
const SCALE = known('specReplicasPath', 'statusReplicasPath', 'labelSelectorPath');
const COLUMN = known('name', 'type', 'format', 'description', 'priority', 'jsonPath');
const SELECTABLE = known('jsonPath');
const CONVERSION = known('strategy', 'webhook');
const WEBHOOK = known('clientConfig', 'conversionReviewVersions');
const CLIENT_CONFIG = known('url', 'service', 'caBundle');
const SERVICE = known('namespace', 'name', 'path', 'port');
const STATUS = known('conditions', 'acceptedNames', 'storedVersions', 'observedGeneration');
const CONDITION = known('type', 'status', 'lastTransitionTime', 'reason', 'message', 'observedGeneration');

/** Decodes a CustomResourceDefinition of apiextensions.k8s.io/v1 and applies that version's defaults. */
export function decodeDefinition(document: JsonValue): DefinitionReading {
  const decoder = new Decoder('CustomResourceDefinition');
  const json = decoder.fields(document, '', 'v1.CustomResourceDefinition', ROOT);
  const metadata = coerceMetadata(json?.['metadata'] ?? null, false);
  if (!metadata.ok) {
    if (!isJsonObject(json?.['metadata'])) decoder.fail(json?.['metadata'] ?? null, 'metadata', 'v1.ObjectMeta');
    decoder.error ??= metadata.error.replace(/struct field (\w+)\./, 'struct field $1.metadata.');
  }
  const spec = decodeSpec(decoder, json?.['spec'], 'spec');
  const status = decodeStatus(decoder, json?.['status'], 'status', spec);
  if (decoder.error !== undefined) return { ok: false, error: decoder.error };
  const unknownFields = [...decoder.unknownFields];
  if (metadata.ok) unknownFields.push(...metadata.unknownFields.map((field) => `metadata.${field}`));
  return { ok: true, definition: { metadata: metadata.ok ? metadata.metadata : newJsonObject(), spec, status }, unknownFields };
}

/** Names with v1's defaults: singular and listKind follow from kind. Source: pkg/apis/apiextensions/v1/defaults.go (1.37). */
function withNameDefaults(names: DefinitionNames): DefinitionNames {
  return {
    ...names,
    singular: names.singular === '' ? names.kind.toLowerCase() : names.singular,
    listKind: names.listKind === '' && names.kind !== '' ? `${names.kind}List` : names.listKind,
  };
}

function decodeSpec(decoder: Decoder, value: JsonValue | undefined, path: string): DefinitionSpec {
  const json = decoder.fields(value, path, 'v1.CustomResourceDefinitionSpec', SPEC);
  const at = (key: string): string => joinPath(path, key);
  return {
    group: decoder.string(json?.['group'], at('group')),
    names: withNameDefaults(decodeNames(decoder, json?.['names'], at('names'))),
    scope: decoder.string(json?.['scope'], at('scope'), 'v1.ResourceScope'),
    versions:
      decoder.list(json?.['versions'], at('versions'), '[]v1.CustomResourceDefinitionVersion', (item, where) =>
        decodeVersion(decoder, item, where),
      ) ?? [],
    listsVersions: Array.isArray(json?.['versions']),
    conversion: decodeConversion(decoder, json?.['conversion'], at('conversion')) ?? { strategy: 'None', webhook: undefined },
    preserveUnknownFields: decoder.bool(json?.['preserveUnknownFields'], at('preserveUnknownFields')),
  };
}

function decodeNames(decoder: Decoder, value: JsonValue | undefined, path: string): DefinitionNames {
  const json = decoder.fields(value, path, 'v1.CustomResourceDefinitionNames', NAMES);
  return {
    plural: decoder.string(json?.['plural'], joinPath(path, 'plural')),
    singular: decoder.string(json?.['singular'], joinPath(path, 'singular')),
    shortNames: decoder.strings(json?.['shortNames'], joinPath(path, 'shortNames')) ?? [],
    kind: decoder.string(json?.['kind'], joinPath(path, 'kind')),
    listKind: decoder.string(json?.['listKind'], joinPath(path, 'listKind')),
    categories: decoder.strings(json?.['categories'], joinPath(path, 'categories')) ?? [],
  };
}

function decodeVersion(decoder: Decoder, value: JsonValue, path: string): DefinitionVersion {
  const json = decoder.fields(value, path, 'v1.CustomResourceDefinitionVersion', VERSION);
  const at = (key: string): string => joinPath(path, key);
  const validation = decoder.fields(json?.['schema'], at('schema'), 'v1.CustomResourceValidation', VALIDATION);
  return {
    name: decoder.string(json?.['name'], at('name')),
    served: decoder.bool(json?.['served'], at('served')),
    storage: decoder.bool(json?.['storage'], at('storage')),
    deprecated: decoder.bool(json?.['deprecated'], at('deprecated')),
    deprecationWarning: decoder.optionalString(json?.['deprecationWarning'], at('deprecationWarning')),
    hasValidation: validation !== undefined,
    schema: decodeSchema(decoder, validation?.['openAPIV3Schema'], at('schema.openAPIV3Schema')),
    subresources: decodeSubresources(decoder, json?.['subresources'], at('subresources')),
    printerColumns:
      decoder.list(
        json?.['additionalPrinterColumns'],
        at('additionalPrinterColumns'),
        '[]v1.CustomResourceColumnDefinition',
        (item, where) => decodeColumn(decoder, item, where),
      ) ?? ABSENT,
    selectableFields:
      decoder.list(json?.['selectableFields'], at('selectableFields'), '[]v1.SelectableField', (item, where) => {
        const field = decoder.fields(item, where, 'v1.SelectableField', SELECTABLE);
        return decoder.string(field?.['jsonPath'], joinPath(where, 'jsonPath'));
      }) ?? ABSENT,
  };
}

function decodeSubresources(decoder: Decoder, value: JsonValue | undefined, path: string): Subresources | undefined {
  const json = decoder.fields(value, path, 'v1.CustomResourceSubresources', SUBRESOURCES);
  if (json === undefined) return undefined;
  const status = decoder.fields(json['status'], joinPath(path, 'status'), 'v1.CustomResourceSubresourceStatus', new Set());
  return { status: status !== undefined, scale: decodeScale(decoder, json['scale'], joinPath(path, 'scale')) };
}

function decodeScale(decoder: Decoder, value: JsonValue | undefined, path: string): Scale | undefined {
  const json = decoder.fields(value, path, 'v1.CustomResourceSubresourceScale', SCALE);
  if (json === undefined) return undefined;
  return {
    specReplicasPath: decoder.string(json['specReplicasPath'], joinPath(path, 'specReplicasPath')),
    statusReplicasPath: decoder.string(json['statusReplicasPath'], joinPath(path, 'statusReplicasPath')),
    labelSelectorPath: decoder.optionalString(json['labelSelectorPath'], joinPath(path, 'labelSelectorPath')),
  };
}

function decodeColumn(decoder: Decoder, value: JsonValue, path: string): PrinterColumn {
  const json = decoder.fields(value, path, 'v1.CustomResourceColumnDefinition', COLUMN);
  return {
    name: decoder.string(json?.['name'], joinPath(path, 'name')),
    type: decoder.string(json?.['type'], joinPath(path, 'type')),
    format: decoder.string(json?.['format'], joinPath(path, 'format')),
    description: decoder.string(json?.['description'], joinPath(path, 'description')),
    priority: decoder.int32(json?.['priority'], joinPath(path, 'priority')) ?? 0,
    jsonPath: decoder.string(json?.['jsonPath'], joinPath(path, 'jsonPath')),
  };
}

function decodeConversion(decoder: Decoder, value: JsonValue | undefined, path: string): Conversion | undefined {
  const json = decoder.fields(value, path, 'v1.CustomResourceConversion', CONVERSION);
  if (json === undefined) return undefined;
  const webhook = decoder.fields(json['webhook'], joinPath(path, 'webhook'), 'v1.WebhookConversion', WEBHOOK);
  const at = joinPath(path, 'webhook');
  return {
    strategy: decoder.string(json['strategy'], joinPath(path, 'strategy')),
    webhook: webhook && {
      clientConfig: decodeClientConfig(decoder, webhook['clientConfig'], joinPath(at, 'clientConfig')),
      conversionReviewVersions: decoder.strings(webhook['conversionReviewVersions'], joinPath(at, 'conversionReviewVersions')) ?? [],
    },
  };
}

function decodeClientConfig(decoder: Decoder, value: JsonValue | undefined, path: string): WebhookClientConfig | undefined {
  const json = decoder.fields(value, path, 'v1.WebhookClientConfig', CLIENT_CONFIG);
  if (json === undefined) return undefined;
  const caBundle = decoder.optionalString(json['caBundle'], joinPath(path, 'caBundle'));
  if (caBundle !== undefined && !/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(caBundle.replace(/[\r\n]/g, ''))) {
    decoder.error ??= `illegal base64 data at input byte ${Math.max(0, caBundle.search(/[^A-Za-z0-9+/=\r\n]/))}`;
  }
  return {
    url: decoder.optionalString(json['url'], joinPath(path, 'url')),
    service: decodeService(decoder, json['service'], joinPath(path, 'service')),
    caBundle,
  };
}

/** A service's port is 443 unless said. */
function decodeService(decoder: Decoder, value: JsonValue | undefined, path: string): ServiceReference | undefined {
  const json = decoder.fields(value, path, 'v1.ServiceReference', SERVICE);
  if (json === undefined) return undefined;
  return {
    namespace: decoder.string(json['namespace'], joinPath(path, 'namespace')),
    name: decoder.string(json['name'], joinPath(path, 'name')),
    path: decoder.optionalString(json['path'], joinPath(path, 'path')),
    port: decoder.int32(json['port'], joinPath(path, 'port')) ?? 443,
  };
}

function decodeStatus(decoder: Decoder, value: JsonValue | undefined, path: string, spec: DefinitionSpec): DefinitionStatus {
  const json = decoder.fields(value, path, 'v1.CustomResourceDefinitionStatus', STATUS);
  const stored = decoder.strings(json?.['storedVersions'], joinPath(path, 'storedVersions')) ?? [];
  const storage = spec.versions.find((version) => version.storage);
  return {
    conditions:
      decoder.list(json?.['conditions'], joinPath(path, 'conditions'), '[]v1.CustomResourceDefinitionCondition', (item, where) =>
        decodeCondition(decoder, item, where),
      ) ?? [],
    acceptedNames: decodeNames(decoder, json?.['acceptedNames'], joinPath(path, 'acceptedNames')),
    storedVersions: stored.length === 0 && storage !== undefined ? [storage.name] : stored,
    observedGeneration: decoder.int64(json?.['observedGeneration'], joinPath(path, 'observedGeneration')),
  };
}

function decodeCondition(decoder: Decoder, value: JsonValue, path: string): StoredCondition {
  const json: JsonObject = decoder.fields(value, path, 'v1.CustomResourceDefinitionCondition', CONDITION) ?? newJsonObject();
  for (const key of ['reason', 'message', 'lastTransitionTime']) decoder.string(json[key], joinPath(path, key));
  return {
    type: decoder.string(json['type'], joinPath(path, 'type')),
    status: decoder.string(json['status'], joinPath(path, 'status')),
    json,
  };
}
