import { decodeUtf8, goQuote, isJsonObject, newJsonObject, readJson, readSpelledJson, readFirstDocument, writeJson, sortedKeys } from '#go';
import type { FirstDocument, JsonObject, JsonValue } from '#go';
import { badRequestStatus, ESTABLISHED, NAMES_ACCEPTED, versionOf } from '#kube';
import type { Change, Minor, Status } from '#kube';
import { schemeLine, schemeLineChanges } from '../../minors/minors.ts';
import { acceptBody, cannotHandle, decodeBody, duplicateError, strictWarnings, withDefaults } from '../../object/write/decode-body.ts';
import { changesOfField, decodeDefinition, decodeStoredDefinition, definitionApi } from '../../schema/decode-definition.ts';
import type { DefinitionContext } from '../../schema/decode-definition.ts';
import { joinPath } from '../../schema/decoder.ts';
import type { Definition, StoredCondition } from '../../schema/definition.ts';
import { encodeDefinition } from '../../schema/encode-definition.ts';
import { RecentDefinitions } from '../../schema/recent-definitions.ts';
import { withStoredNumbers } from '../../schema/stored-numbers.ts';
import type { TextChanges, FieldValidation } from '../../verdict.ts';
import { storageVersions } from './prepare.ts';
import type { KnownNodes } from './rule-context.ts';

/** Request body with a definition: the bytes or text as sent, or JSON that is already parsed. */
export type DefinitionBody = Uint8Array | string | JsonObject;

/** Definition from a request with the warnings of decoding, or the Status that rejects the request. */
export type DefinitionRequestReading = {
  readonly warnings: readonly string[];
  /** Differences that decide about warnings and about the message of the Status; absent if there are none. */
  readonly changes?: TextChanges;
} & ({ readonly ok: true; readonly definition: Definition } | { readonly ok: false; readonly status: Status });

const API_VERSION = 'apiextensions.k8s.io/v1';
const KIND = 'CustomResourceDefinition';

/**
 * Maximum number of errors that Go's decoder collects for one document.
 * Source: sigs.k8s.io/json/internal/golang/encoding/json/kubernetes_patch.go (1.37).
 */
const MAX_STRICT_ERRORS = 100;

const unknownField = (field: string): string => `unknown field ${goQuote(field)}`;

/** Options for decoding the body of a request that creates or updates a definition. */
export interface ReadingOptions extends DefinitionContext {
  readonly minor: Minor;
  readonly fieldValidation?: FieldValidation;
  readonly contentType?: string;
  /** Result of reading the body as YAML. If it is undefined, the body is read. */
  readonly yaml?: FirstDocument | undefined;
  /** Cached results of earlier validations, whose decoded schemas are reused. */
  readonly known?: KnownNodes | undefined;
}

/** File of the scheme, which its errors name. */
const SCHEME = 'pkg/runtime/scheme.go';

/**
 * Returns the error that Go's scheme reports for a document that is no definition. A list of definitions causes a different error, because
 * the scheme knows the kind of the list. Source: apimachinery pkg/runtime/scheme.go, pkg/conversion/converter.go (1.37).
 */
function otherKindError(kind: string, apiVersion: string, minor: Minor): string {
  const api = definitionApi({ apiVersion, kind: KIND });
  if (kind === `${KIND}List` && api !== undefined) return `converting (${api}.${kind}) to (apiextensions.${KIND}): unknown conversion`;
  const named = `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion.replace(/^\//, ''))}`;
  return `${named} in scheme "${SCHEME}:${schemeLine(minor)}"`;
}

/** Decodes a definition from a request in the same way as the server. */
export function readDefinition(document: DefinitionBody, options: ReadingOptions): DefinitionRequestReading {
  const refusedBy = (status: Status, changes: readonly Change[]): DefinitionRequestReading => ({
    ok: false,
    status,
    warnings: [],
    ...(changes.length > 0 && { changes: new Map([[status.message, changes]]) }),
  });
  const raw = typeof document === 'string' || document instanceof Uint8Array;
  const { recent = new RecentDefinitions() } = options;
  const body = raw ? readBody(document, options, recent) : acceptBody(document, { kind: KIND }, { kindNeeded: false });
  if (!body.ok) return { ...body, warnings: [] };
  const { object } = body;
  const api = definitionApi(object);
  if (api === undefined) {
    const named = withDefaults(object, { kind: KIND, apiVersion: API_VERSION });
    const why =
      versionOf(String(named['apiVersion'])) === ''
        ? `Object 'apiVersion' is missing in '${raw ? textOf(document) : writeJson(object)}'`
        : otherKindError(String(named['kind']), String(named['apiVersion']), options.minor);
    return refusedBy(cannotHandle(named, { kind: KIND }, why), why.includes(SCHEME) ? schemeLineChanges(options.minor) : []);
  }
  const { minor, vocabulary } = options;
  // The findings about duplicate keys depend on what the decoder reads at each path. A schema from the cache would skip this reading.
  const schemas = body.duplicates.length > 0 ? undefined : (options.known?.schemas ?? recent.schemas());
  const reading = decodeDefinition(object, { api, minor, vocabulary, schemas });
  const unusable = (why: string, changes: readonly Change[] = []): DefinitionRequestReading =>
    refusedBy(badRequestStatus(`${KIND} in version "${api}" cannot be handled as a ${KIND}: ${why}`), changes);
  if (!reading.ok) {
    const seen = raw ? asDecoderSees(document, body) : undefined;
    const decoded = seen === undefined ? reading : decodeDefinition(seen, { api, minor, vocabulary });
    return unusable(decoded.ok ? reading.error : decoded.error, (decoded.ok ? reading : decoded).wordedBy);
  }
  const duplicates = body.duplicates.filter(reading.notices).map(duplicateError);
  const unknown = inDecodingOrder(reading.unknownFields, object, body.syntax === 'yaml' ? 'yaml' : 'json');
  const found = [...duplicates, ...unknown.map(unknownField)];
  const strict = [...body.strictErrors, ...found.slice(0, MAX_STRICT_ERRORS)];
  const mode = options.fieldValidation ?? 'Warn';
  if (mode === 'Strict' && strict.length > 0)
    return unusable(`strict decoding error: ${strict.join(', ')}`, unknown.flatMap(changesOfField));
  const warnings = mode === 'Ignore' ? [] : strictWarnings(strict);
  if (api !== 'v1') return { ok: false, status: badRequestStatus(otherVersion(api)), warnings };
  const dated = unknown.filter((field) => changesOfField(field).length > 0);
  const changes = new Map(
    dated.flatMap((field) => strictWarnings([unknownField(field)]).map((text) => [text, changesOfField(field)] as const)),
  );
  return { ok: true, definition: reading.definition, warnings, ...(changes.size > 0 && { changes }) };
}

/**
 * Converts a document that could not be decoded to the form that Go's decoder receives. JSON numbers keep their spelling. A YAML document
 * becomes JSON with sorted keys.
 */
function asDecoderSees(document: Uint8Array | string, { object, syntax }: BodyReading & { readonly ok: true }): JsonValue | undefined {
  const text = syntax === 'json' ? document : writeJson(object, { escapeHtml: false, keys: 'sorted', spelled: true });
  const reading = readSpelledJson(text);
  return reading.ok ? reading.value : undefined;
}

type BodyReading = ReturnType<typeof decodeBody>;

function readBody(document: Uint8Array | string, { contentType, minor, yaml }: ReadingOptions, recent: RecentDefinitions): BodyReading {
  const read = (): BodyReading =>
    decodeBody(document, contentType, { kind: KIND, minor }, { kindNeeded: false, ...(yaml && { yaml: { reading: yaml } }) });
  return typeof document === 'string' ? read() : recent.body(document, contentType, read);
}

function textOf(body: Uint8Array | string): string {
  return typeof body === 'string' ? body : decodeUtf8(body);
}

/**
 * Returns the error for a request body whose API version is not v1, the only version that the server serves. The request handler rejects
 * such a body. Source: apiserver handlers/create.go (1.37).
 */
function otherVersion(api: string): string {
  return `the API version in the data (apiextensions.k8s.io/${api}) does not match the expected API version (${API_VERSION})`;
}

/**
 * Returns the definition in the body of a rejected request, so that its costs and conditions can still be reported. Returns undefined if
 * the body cannot be decoded.
 */
export function readLeniently(
  document: DefinitionBody,
  { vocabulary, recent = new RecentDefinitions() }: DefinitionContext = {},
): Definition | undefined {
  let value: JsonValue = null;
  if (typeof document === 'string' || document instanceof Uint8Array) {
    const json = readJson(document);
    const reading = json.ok ? json : readFirstDocument(document);
    if (reading.ok) value = reading.value;
  } else {
    value = document;
  }
  const api = isJsonObject(value) ? definitionApi(value) : undefined;
  if (api === undefined) return undefined;
  const reading = decodeDefinition(withStoredNumbers(value), { api, vocabulary, schemas: recent.schemas() });
  return reading.ok ? reading.definition : undefined;
}

function established(): StoredCondition[] {
  return [NAMES_ACCEPTED, ESTABLISHED].map(({ type, status, reason, message }) => ({
    type,
    status,
    json: Object.assign(newJsonObject(), { type, status, lastTransitionTime: '1970-01-01T00:00:00Z', reason, message }),
  }));
}

/**
 * Returns a stored definition of v1 or v1beta1, or undefined if it cannot be decoded. A definition without conditions is treated as
 * established, with accepted names.
 */
export function readStored(document: JsonValue, context?: DefinitionContext): Definition | undefined {
  const reading = decodeStoredDefinition(document, context);
  if (!reading.ok) return undefined;
  const { definition } = reading;
  const metadata = Object.assign(newJsonObject(), definition.metadata, { generation: 1 });
  if (definition.status.conditions.length > 0) return { ...definition, metadata };
  const storedVersions = storedVersionsOf(document) ?? storageVersions(definition);
  const status = { conditions: established(), acceptedNames: definition.spec.names, storedVersions, observedGeneration: undefined };
  return { ...definition, metadata, status };
}

function storedVersionsOf(document: JsonValue): string[] | undefined {
  const status = isJsonObject(document) ? document['status'] : undefined;
  const stored = isJsonObject(status) ? status['storedVersions'] : undefined;
  return Array.isArray(stored) && stored.length > 0 ? stored.map(String) : undefined;
}

/**
 * Returns the paths of unknown fields in the order in which Go's decoder meets them. This is the order of the JSON text, and the decoder
 * reads each value before the next key. A server converts YAML to JSON with sorted keys first, so for YAML the keys count as sorted.
 * Source: sigs.k8s.io/json/internal/golang/encoding/json/decode.go (1.37).
 */
export function inDecodingOrder(fields: readonly string[], document: JsonValue, syntax: 'json' | 'yaml'): readonly string[] {
  if (fields.length < 2) return fields;
  const wanted = new Set(fields);
  const ordered: string[] = [];
  const visit = (value: JsonValue, path: string): void => {
    if (wanted.delete(path)) ordered.push(path);
    else if (Array.isArray(value)) value.forEach((item, i) => visit(item, `${path}[${i}]`));
    else if (isJsonObject(value))
      for (const key of syntax === 'yaml' ? sortedKeys(value) : Object.keys(value)) visit(value[key] as JsonValue, joinPath(path, key));
  };
  visit(document, '');
  return [...ordered, ...wanted];
}

/**
 * Returns a stored definition as a server returns it: in v1, and without unknown fields. A definition without conditions is treated as
 * established. Returns undefined if the document cannot be decoded.
 */
export function storedDefinition(document: JsonValue): JsonObject | undefined {
  const definition = readStored(document);
  return definition && encodeDefinition(definition);
}
