import { formatRfc3339Nano, isJsonObject, newJsonObject, parseTime, RFC3339 } from '#go';
import { LATEST_MINOR } from '#kube';
import type { JsonObject, JsonValue } from '#go';
import type { Change, Minor } from '#kube';
import { coerceMetadata } from '../object/write/typed-metadata.ts';
import { decodeConversion, decodeNames, withNameDefaults } from './decode-spec.ts';
import { decodeSpecOfV1beta1 } from './decode-v1beta1.ts';
import { decodeVersions } from './decode-version.ts';
import { KEYWORDS } from '../keywords/all.ts';
import type { Vocabulary } from '../keywords/vocabulary.ts';
import { CRD_CHANGES, crdHas } from '../minors/minors.ts';
import type { DecodedSchemas } from './recent-definitions.ts';
import { joinPath } from './decoder.ts';
import { SchemaDecoder } from './decode-schema.ts';
import type { Definition, DefinitionSpec, DefinitionStatus, StoredCondition } from './definition.ts';
import { RecentDefinitions } from './recent-definitions.ts';
import { withStoredNumbers } from './stored-numbers.ts';

/**
 * Result of decoding a definition: the definition and the paths of its unknown fields, or the text of the decode error. `notices(path)`
 * returns true if the server would report a duplicate key at this path. It does not say whether the text has one.
 */
export type DefinitionDecoding =
  | {
      readonly ok: true;
      readonly definition: Definition;
      readonly unknownFields: readonly string[];
      readonly notices: (path: string) => boolean;
    }
  | {
      readonly ok: false;
      readonly error: string;
      /** Differences because of which other Kubernetes versions use other words; absent if all use the same words. */
      readonly wordedBy?: readonly Change[];
    };

const ROOT = new Set(['apiVersion', 'kind', 'metadata', 'spec', 'status']);
const SPEC = new Set(['group', 'names', 'scope', 'versions', 'conversion', 'preserveUnknownFields']);
const UNOBSERVED_STATUS = ['conditions', 'acceptedNames', 'storedVersions'];
const UNOBSERVED_CONDITION = ['type', 'status', 'lastTransitionTime', 'reason', 'message'];
/**
 * Known fields of a definition's status: `before` and `since` the Kubernetes minor version that added `observedGeneration`. `CONDITION`
 * lists the fields of a condition in the same way.
 */
const STATUS = { before: new Set(UNOBSERVED_STATUS), since: new Set([...UNOBSERVED_STATUS, 'observedGeneration']) };
const CONDITION = { before: new Set(UNOBSERVED_CONDITION), since: new Set([...UNOBSERVED_CONDITION, 'observedGeneration']) };
const fieldsOf = (fields: typeof STATUS, { observesGenerations }: SchemaDecoder): ReadonlySet<string> =>
  fields[observesGenerations ? 'since' : 'before'];

/** Returns the differences because of which only some Kubernetes versions know a field, such as `status.observedGeneration`. */
export function changesOfField(path: string): readonly Change[] {
  return /^status\.(?:conditions\[\d+\]\.)?observedGeneration$/.test(path) ? [CRD_CHANGES.generationsAreObserved] : [];
}

/** API versions of apiextensions.k8s.io that a stored definition can have. Servers serve only v1; old storage may also contain v1beta1. */
export type DefinitionApi = 'v1' | 'v1beta1';

const KIND = 'CustomResourceDefinition';
const APIS: Readonly<Record<string, DefinitionApi>> = { 'apiextensions.k8s.io/v1': 'v1', 'apiextensions.k8s.io/v1beta1': 'v1beta1' };
const SPEC_READERS = { v1: decodeSpec, v1beta1: decodeSpecOfV1beta1 };

/**
 * Returns the API version of a definition document, or v1 if the document has no apiVersion. Returns undefined if the document is not a
 * CustomResourceDefinition.
 */
export function definitionApi(document: JsonObject): DefinitionApi | undefined {
  const kind = document['kind'] || KIND;
  const apiVersion = document['apiVersion'] || 'apiextensions.k8s.io/v1';
  return kind === KIND && typeof apiVersion === 'string' && Object.hasOwn(APIS, apiVersion) ? APIS[apiVersion] : undefined;
}

/**
 * Options for decoding a definition: the Kubernetes minor version, the known keywords, and a cache of recently decoded definitions. All are
 * optional.
 */
export interface DefinitionContext {
  /** Kubernetes minor version whose keywords are known. Default: the newest minor version. */
  readonly minor?: Minor;
  /** Schema keywords that the decoder accepts. Default: the keywords of Kubernetes. */
  readonly vocabulary?: Vocabulary | undefined;
  /** Cache of recently decoded definitions. Default: no cache. */
  readonly recent?: RecentDefinitions | undefined;
}

/**
 * Decodes a stored definition of API version v1 or v1beta1. Floats without a fraction, such as `1.0`, become integers, as they do when the
 * server stores them.
 */
export function decodeStoredDefinition(document: JsonValue, context: DefinitionContext = {}): DefinitionDecoding {
  const api = isJsonObject(document) ? definitionApi(document) : undefined;
  if (api === undefined) return { ok: false, error: 'this is no CustomResourceDefinition' };
  const schemas = (context.recent ?? new RecentDefinitions()).schemas();
  const decoder = new SchemaDecoder(KIND, { goPackage: api, vocabulary: knownKeywords(context), schemas, fromStorage: true });
  const stored = withStoredNumbers(document, (json) => schemas.isFreeOfFloats(json));
  return decodeWith(decoder, stored, api);
}

/** Options for decoding a definition that a client sent. */
export interface DefinitionReading extends DefinitionContext {
  readonly api?: DefinitionApi;
  /** Cache of schemas that were decoded before; see {@link SchemaDecoder}. */
  readonly schemas?: DecodedSchemas | undefined;
}

/** Decodes a CustomResourceDefinition and applies the defaults of its API version. */
export function decodeDefinition(document: JsonValue, reading: DefinitionReading = {}): DefinitionDecoding {
  const { api = 'v1', minor = LATEST_MINOR, schemas } = reading;
  const decoder = new SchemaDecoder(KIND, {
    goPackage: api,
    keepsPaths: crdHas(minor, 'decodingKeepsPaths'),
    vocabulary: knownKeywords(reading),
    schemas,
    observesGenerations: crdHas(minor, 'generationsAreObserved'),
  });
  return decodeWith(decoder, document, api);
}

function knownKeywords({ minor = LATEST_MINOR, vocabulary = KEYWORDS }: DefinitionContext): Vocabulary {
  return vocabulary.of(minor);
}

function decodeWith(decoder: SchemaDecoder, document: JsonValue, api: DefinitionApi): DefinitionDecoding {
  const json = decoder.fields(document, '', 'v1.CustomResourceDefinition', ROOT);
  const metadata = coerceMetadata(json?.['metadata'] ?? null, 'reject', 'typed');
  if (!metadata.ok) {
    if (!isJsonObject(json?.['metadata'])) decoder.fail(json?.['metadata'] ?? null, 'metadata', 'v1.ObjectMeta');
    if (metadata.error.startsWith('json: '))
      decoder.failWith('metadata', metadata.error.replace(/struct field (\w+)\./, 'struct field $1.metadata.'));
    else decoder.endWith('metadata', metadata.error);
  }
  const spec = SPEC_READERS[api](decoder, json?.['spec'], 'spec');
  const status = decodeStatus(decoder, json?.['status'], 'status', spec);
  const error = decoder.firstError(document);
  if (error !== undefined) return { ok: false, error, ...(decoder.showsPath(document) && { wordedBy: [CRD_CHANGES.decodingKeepsPaths] }) };
  const unknownFields = [...decoder.unknownFields];
  if (metadata.ok) unknownFields.push(...metadata.unknownFields.map((field) => `metadata.${field}`));
  const definition = { metadata: metadata.ok ? metadata.metadata : newJsonObject(), spec, status };
  return { ok: true, definition, unknownFields, notices: (path) => decoder.notices(path) };
}

function decodeSpec(decoder: SchemaDecoder, value: JsonValue | undefined, path: string): DefinitionSpec {
  const json = decoder.fields(value, path, 'v1.CustomResourceDefinitionSpec', SPEC);
  const at = (key: string): string => joinPath(path, key);
  return {
    group: decoder.string(json?.['group'], at('group')),
    names: withNameDefaults(decodeNames(decoder, json?.['names'], at('names'))),
    scope: decoder.string(json?.['scope'], at('scope'), 'v1.ResourceScope'),
    versions: decodeVersions(decoder, json?.['versions'], at('versions'), 'jsonPath') ?? [],
    listsVersions: Array.isArray(json?.['versions']),
    conversion: decodeConversion(decoder, json?.['conversion'], at('conversion')) ?? { strategy: 'None', webhook: undefined },
    preserveUnknownFields: decoder.bool(json?.['preserveUnknownFields'], at('preserveUnknownFields')),
  };
}

function decodeStatus(decoder: SchemaDecoder, value: JsonValue | undefined, path: string, spec: DefinitionSpec): DefinitionStatus {
  const json = decoder.fields(value, path, 'v1.CustomResourceDefinitionStatus', fieldsOf(STATUS, decoder));
  const stored = decoder.strings(json?.['storedVersions'], joinPath(path, 'storedVersions')) ?? [];
  const storage = spec.versions.find((version) => version.storage);
  return {
    conditions:
      decoder.list(json?.['conditions'], joinPath(path, 'conditions'), '[]v1.CustomResourceDefinitionCondition', (item, where) =>
        decodeCondition(decoder, item, where),
      ) ?? [],
    acceptedNames: decodeNames(decoder, json?.['acceptedNames'], joinPath(path, 'acceptedNames')),
    storedVersions: stored.length === 0 && storage !== undefined ? [storage.name] : stored,
    observedGeneration: decodeGeneration(decoder, json, path),
  };
}

/** Decodes a condition into the form in which Go writes it: a missing time is null. Source: pkg/apis/apiextensions/v1/types.go (1.37). */
function decodeCondition(decoder: SchemaDecoder, value: JsonValue, path: string): StoredCondition {
  const json: JsonObject =
    decoder.fields(value, path, 'v1.CustomResourceDefinitionCondition', fieldsOf(CONDITION, decoder)) ?? newJsonObject();
  const at = (key: string): string => joinPath(path, key);
  const type = decoder.string(json['type'], at('type'), 'v1.CustomResourceDefinitionConditionType');
  const status = decoder.string(json['status'], at('status'), 'v1.ConditionStatus');
  const lastTransitionTime = decodeTime(decoder, json['lastTransitionTime'], at('lastTransitionTime'));
  const written = Object.assign(newJsonObject(), { type, status, lastTransitionTime });
  for (const key of ['reason', 'message']) {
    const text = decoder.string(json[key], at(key));
    if (text !== '') written[key] = text;
  }
  const generation = decodeGeneration(decoder, json, path);
  if (generation !== undefined && BigInt(generation) !== 0n) written['observedGeneration'] = generation;
  return { type, status, json: written };
}

/**
 * Decodes the `observedGeneration` of a status or condition. Returns undefined for Kubernetes minor versions before 1.35, because the field
 * does not exist in them.
 */
function decodeGeneration(decoder: SchemaDecoder, json: JsonObject | undefined, path: string): number | bigint | undefined {
  return decoder.observesGenerations ? decoder.int64(json?.['observedGeneration'], joinPath(path, 'observedGeneration')) : undefined;
}

/** First second of the year 1. Go treats this time as absent. */
const ZERO_TIME = '0001-01-01T00:00:00Z';

/**
 * Decodes a metav1 time and returns it in UTC and whole seconds. Returns null if the time is absent or zero. Source: apimachinery
 * apis/meta/v1/time.go `Time.MarshalJSON` (1.37).
 */
function decodeTime(decoder: SchemaDecoder, value: JsonValue | undefined, path: string): string | null {
  const text = decoder.timeText(value, path);
  if (text === undefined) return null;
  const time = parseTime(RFC3339, text);
  if (!time.ok) {
    decoder.endWith(path, time.error);
    return null;
  }
  const written = formatRfc3339Nano({ seconds: time.instant.seconds, nanos: 0, offset: 0 });
  return written === ZERO_TIME ? null : written;
}
