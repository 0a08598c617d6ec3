import { base64Text } from '#go';
import type { JsonValue } from '#go';
import { joinPath } from './decoder.ts';
import type { Decoder } from './decoder.ts';
import type { DefinitionNames, Conversion, ServiceReference, WebhookClientConfig } from './definition.ts';
import { ABSENT_LIST } from './schema-props.ts';

const NAMES = new Set(['plural', 'singular', 'shortNames', 'kind', 'listKind', 'categories']);

/**
 * Returns the names with defaults for `singular` and `listKind`, which are derived from `kind`. Source:
 * pkg/apis/apiextensions/v1/defaults.go (1.37).
 */
export function withNameDefaults(names: DefinitionNames): DefinitionNames {
  return {
    ...names,
    singular: names.singular === '' ? names.kind.toLowerCase() : names.singular,
    listKind: names.listKind === '' && names.kind !== '' ? `${names.kind}List` : names.listKind,
  };
}

/** Decodes the names of a resource without defaults. */
export function decodeNames(decoder: Decoder, value: JsonValue | undefined, path: string): DefinitionNames {
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

const CONVERSION = new Set(['strategy', 'webhook']);
const WEBHOOK = new Set(['clientConfig', 'conversionReviewVersions']);
const CLIENT_CONFIG = new Set(['url', 'service', 'caBundle']);
const SERVICE = new Set(['namespace', 'name', 'path', 'port']);

/** Decodes the conversion settings of a definition in the v1 format. */
export function decodeConversion(decoder: Decoder, value: JsonValue | undefined, path: string): Conversion | undefined {
  const json = decoder.fields(value, path, 'v1.CustomResourceConversion', CONVERSION);
  if (json === undefined) return undefined;
  const webhook = decoder.fields(json['webhook'], joinPath(path, 'webhook'), 'v1.WebhookConversion', WEBHOOK);
  const at = joinPath(path, 'webhook');
  const strategy = decoder.string(json['strategy'], joinPath(path, 'strategy'), 'v1.ConversionStrategyType');
  if (webhook === undefined) return { strategy, webhook };
  const clientConfig = decodeClientConfig(decoder, webhook['clientConfig'], joinPath(at, 'clientConfig'));
  const reviewed = decoder.strings(webhook['conversionReviewVersions'], joinPath(at, 'conversionReviewVersions'));
  // The internal version omits a webhook without fields. Source: apiextensions/v1/conversion.go (1.37).
  if (clientConfig === undefined && reviewed === undefined) return { strategy, webhook: undefined };
  return { strategy, webhook: { clientConfig, conversionReviewVersions: reviewed ?? ABSENT_LIST } };
}

/**
 * Decodes the client config of a webhook, which contains the address and the CA bundle of the webhook. The format is the same in all API
 * versions.
 */
export function decodeClientConfig(decoder: Decoder, value: JsonValue | undefined, path: string): WebhookClientConfig | undefined {
  const json = decoder.fields(value, path, 'v1.WebhookClientConfig', CLIENT_CONFIG);
  if (json === undefined) return undefined;
  const caBundle = decodeBytes(decoder, json['caBundle'], joinPath(path, 'caBundle'));
  return {
    url: decoder.optionalString(json['url'], joinPath(path, 'url')),
    service: decodeService(decoder, json['service'], joinPath(path, 'service')),
    caBundle,
  };
}

/** Decodes the service that a webhook runs on. The default port is 443. */
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

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Decodes base64 text and returns it unchanged. Like Go, it also accepts a list of byte values, which it returns as base64 text. */
function decodeBytes(decoder: Decoder, value: JsonValue | undefined, path: string): string | undefined {
  if (Array.isArray(value)) {
    const bytes = value.map((item, i) => decoder.uint8(item, `${path}[${i}]`));
    return base64Text(Uint8Array.from(bytes));
  }
  const text = decoder.optionalString(value, path, '[]uint8');
  if (text !== undefined && !BASE64.test(text.replace(/[\r\n]/g, '')))
    decoder.failWith(path, `illegal base64 data at input byte ${Math.max(0, text.search(/[^A-Za-z0-9+/=\r\n]/))}`);
  return text;
}
