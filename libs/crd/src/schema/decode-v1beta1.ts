import type { JsonValue } from '#go';
import { decodeClientConfig, decodeNames, withNameDefaults } from './decode-spec.ts';
import { decodeParts, decodeVersions, withParts } from './decode-version.ts';
import { joinPath } from './decoder.ts';
import type { SchemaDecoder } from './decode-schema.ts';
import type { Conversion, DefinitionSpec, DefinitionVersion } from './definition.ts';
import { ABSENT_LIST } from './schema-props.ts';

const SPEC = new Set([
  'group',
  'version',
  'names',
  'scope',
  'validation',
  'subresources',
  'versions',
  'additionalPrinterColumns',
  'selectableFields',
  'conversion',
  'preserveUnknownFields',
]);
const CONVERSION = new Set(['strategy', 'webhookClientConfig', 'conversionReviewVersions']);

/**
 * Decodes a v1beta1 spec with the defaults of v1beta1, and returns it in the v1 form. Fields that v1beta1 has once for all versions are
 * copied to each version. Sources: pkg/apis/apiextensions/v1beta1/defaults.go, pkg/apis/apiextensions/v1/conversion.go
 * `Convert_apiextensions_CustomResourceDefinitionSpec_To_v1_CustomResourceDefinitionSpec` (1.37).
 */
export function decodeSpecOfV1beta1(decoder: SchemaDecoder, value: JsonValue | undefined, path: string): DefinitionSpec {
  const json = decoder.fields(value, path, 'v1.CustomResourceDefinitionSpec', SPEC);
  const at = (key: string): string => joinPath(path, key);
  const common = decodeParts(decoder, json, path, 'validation', 'JSONPath');
  const listed = decodeVersions(decoder, json?.['versions'], at('versions'), 'JSONPath') ?? [];
  const version = decoder.string(json?.['version'], at('version'));
  const versions = listed.length === 0 && version !== '' ? [onlyVersion(version)] : listed;
  return {
    group: decoder.string(json?.['group'], at('group')),
    names: withNameDefaults(decodeNames(decoder, json?.['names'], at('names'))),
    scope: decoder.string(json?.['scope'], at('scope'), 'v1.ResourceScope') || 'Namespaced',
    versions: versions.map((one) => withParts(one, common)),
    listsVersions: versions.length > 0 || Array.isArray(json?.['versions']),
    conversion: decodeConversionOfV1beta1(decoder, json?.['conversion'], at('conversion')) ?? { strategy: 'None', webhook: undefined },
    preserveUnknownFields: decoder.optionalBool(json?.['preserveUnknownFields'], at('preserveUnknownFields')) ?? true,
  };
}

/** Returns the only version of a definition that sets the field `version` and has no list of versions. */
function onlyVersion(name: string): DefinitionVersion {
  return {
    name,
    served: true,
    storage: true,
    deprecated: false,
    deprecationWarning: undefined,
    hasValidation: false,
    schema: undefined,
    subresources: undefined,
    printerColumns: ABSENT_LIST,
    selectableFields: ABSENT_LIST,
  };
}

function decodeConversionOfV1beta1(decoder: SchemaDecoder, value: JsonValue | undefined, path: string): Conversion | undefined {
  const json = decoder.fields(value, path, 'v1.CustomResourceConversion', CONVERSION);
  if (json === undefined) return undefined;
  const strategy = decoder.string(json['strategy'], joinPath(path, 'strategy'), 'v1.ConversionStrategyType');
  const clientConfig = decodeClientConfig(decoder, json['webhookClientConfig'], joinPath(path, 'webhookClientConfig'));
  const listed = decoder.strings(json['conversionReviewVersions'], joinPath(path, 'conversionReviewVersions'));
  const reviewed = strategy === 'Webhook' && (listed ?? []).length === 0 ? ['v1beta1'] : listed;
  if (clientConfig === undefined && reviewed === undefined) return { strategy, webhook: undefined };
  return { strategy, webhook: { clientConfig, conversionReviewVersions: reviewed ?? ABSENT_LIST } };
}
