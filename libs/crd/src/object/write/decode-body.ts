import {
  copyJson,
  decodeUtf8,
  goQuote,
  goTrimStart,
  hexText,
  isJsonObject,
  newJsonObject,
  readJson,
  readFirstDocument,
  writeJson,
} from '#go';
import {
  badRequestStatus,
  groupOf,
  invalidJson,
  LATEST_MINOR,
  MAX_BODY_BYTES,
  nestedTooDeep,
  tooLargeStatus,
  uninterpreted,
  unsupportedMediaTypeStatus,
  versionOf,
} from '#kube';
import type { CancellationToken, JsonObject, JsonReading, JsonValue, YamlReading } from '#go';
import type { Minor, Status } from '#kube';
import { crdHas } from '../../minors/minors.ts';
import { jsonKind } from '../../schema/decoder.ts';
import type { YamlBody } from '../../verdict.ts';

/**
 * Result of decoding a request body. It is the object with its duplicate JSON keys and the strict errors of YAML, or the Status that
 * rejects the body.
 */
export type BodyReading =
  | {
      readonly ok: true;
      readonly object: JsonObject;
      readonly duplicates: readonly string[];
      readonly strictErrors: readonly string[];
      /**
       * Syntax of the body. Keys of a YAML body are decoded in sorted order. Keys of a JSON body or a parsed value are decoded in their own
       * order.
       */
      readonly syntax: Syntax;
    }
  | { readonly ok: false; readonly status: Status };

/** Kind that is expected in a body, for error messages. */
export interface ExpectedKind {
  readonly kind: string;
  /** API version of the request. It is assigned to a body without an API version. */
  readonly apiVersion?: string;
  /** Kubernetes minor version of the server. Default: the newest minor version. */
  readonly minor?: Minor;
}

/** Options for decoding a body. */
export interface DecodingOptions {
  /** True, the default, if the body must contain a kind. False for typed objects, because the request determines their kind. */
  readonly kindNeeded?: boolean;
  readonly token?: CancellationToken;
  /**
   * True if `fieldValidation` is `Ignore`. The server then converts YAML to JSON before it decodes the object, and error messages quote
   * this JSON.
   */
  readonly lenient?: boolean;
  /** Result of an earlier YAML parse of the same body. The decoder copies the object, so the parse result is never changed. */
  readonly yaml?: Pick<YamlBody, 'reading'>;
}

/** Syntax of a request body. */
type Syntax = 'json' | 'yaml';

function syntaxOf(contentType: string | undefined, text: () => string): Syntax | undefined {
  if (contentType === 'application/json') return 'json';
  if (contentType === undefined) return goTrimStart(text()).startsWith('{') ? 'json' : 'yaml';
  const type = (contentType.split(';')[0] as string).trim().toLowerCase();
  if (type === 'application/json' || type === '') return 'json';
  return type === 'application/yaml' ? 'yaml' : undefined;
}

/**
 * Returns the first 30 bytes of a body for error messages: as text if the body begins with `{`, otherwise in hexadecimal. Source:
 * k8s.io/apiserver/pkg/endpoints/handlers/rest.go `summarizeData` (1.37).
 */
function summarize(body: Uint8Array): string {
  const length = 30;
  if (body.length === 0) return '<empty>';
  if (body[0] === 0x7b) {
    const text = decodeUtf8(body.subarray(0, length));
    return body.length > length ? `${text} ...` : text;
  }
  const hex = hexText(body.subarray(0, length));
  return body.length > length ? `${hex} ...` : hex;
}

/**
 * Decodes a request body to an object with a kind, in the same way as the decoder of unstructured objects. Source:
 * k8s.io/apimachinery/pkg/runtime/serializer/json/json.go, apiserver handlers/rest.go (1.37).
 */
export function decodeBody(
  body: Uint8Array | string,
  contentType: string | undefined,
  expected: ExpectedKind,
  { kindNeeded = true, token, lenient = false, yaml }: DecodingOptions = {},
): BodyReading {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  if (bytes.length > MAX_BODY_BYTES) return { ok: false, status: tooLargeStatus(`limit is ${MAX_BODY_BYTES}`) };
  const syntax = syntaxOf(contentType, () => (typeof body === 'string' ? body : decodeUtf8(bytes)));
  if (syntax === undefined) return { ok: false, status: unsupportedMediaTypeStatus(unsupportedText(contentType as string)) };
  const unrecognized = (error: string): BodyReading => ({
    ok: false,
    status: badRequestStatus(`the object provided is unrecognized (must be of type ${expected.kind}): ${error} (${summarize(bytes)})`),
  });
  const reading = syntax === 'json' ? readJson(body, token) : (copied(yaml?.reading) ?? readFirstDocument(body, token));
  if (!reading.ok) {
    const { minor = LATEST_MINOR } = expected;
    if (syntax === 'json') return unrecognized(invalidJson(bytes, minor));
    return unrecognized('asJson' in reading ? nestedTooDeep(reading.error, minor) : yamlErrorText(reading.error, minor));
  }
  const { value } = reading;
  const numberError = syntax === 'json' ? (reading as JsonReading & { ok: true }).numberError : undefined;
  // The reader replaces a number too large for a float64 by null. The check of apiVersion and kind must know that it is a number, so
  // JSON.parse reads the body again.
  const whole = numberError === undefined ? value : (JSON.parse(typeof body === 'string' ? body : decodeUtf8(bytes)) as JsonValue);
  const typed = replacedTypeMetaError(reading) ?? typeMetaError(whole, syntax);
  if (typed !== undefined) return unrecognized(typed);
  const object = value as JsonObject | null;
  if (numberError !== undefined) return { ok: false, status: cannotHandle(withDefaults(object, expected), expected, numberError) };
  if (kindNeeded && lacksKind(object)) {
    const text = (): string => (syntax === 'json' ? decodeUtf8(bytes).trim() : writeJson(value));
    if (lenient) return { ok: false, status: cannotHandle(withDefaults(object, expected), expected, missingKind(text())) };
    return unrecognized(missingKind(decodeUtf8(bytes)));
  }
  const { duplicates } = reading;
  // A body of `null`, or a YAML body without content, is an empty object of the expected type.
  if (object === null) return { ok: true, object: newJsonObject(), duplicates: [], strictErrors: [], syntax };
  if (syntax === 'json') return { ok: true, object, duplicates, strictErrors: [], syntax };
  const strictErrors = duplicates.length === 0 ? [] : [`yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`];
  return { ok: true, object, duplicates: [], strictErrors, syntax };
}

const copied = (reading: YamlReading | undefined): YamlReading | undefined =>
  reading?.ok === true ? { ...reading, value: copyJson(reading.value) } : reading;

/** Returns the error message of strict decoding for a duplicate key. */
export function duplicateError(path: string): string {
  return `duplicate field ${goQuote(path)}`;
}

/**
 * Returns the result of decoding a request body that is already parsed. Checks only that apiVersion and kind are strings, and, if
 * `kindNeeded` is true, that the kind is present.
 */
export function acceptBody(
  object: JsonObject,
  expected: ExpectedKind,
  { kindNeeded = true }: Pick<DecodingOptions, 'kindNeeded'> = {},
): BodyReading {
  const error = typeMetaError(object, 'yaml') ?? (kindNeeded && lacksKind(object) ? missingKind(writeJson(object)) : undefined);
  if (error === undefined) return { ok: true, object, duplicates: [], strictErrors: [], syntax: 'json' };
  const summary = summarize(new TextEncoder().encode(writeJson(object)));
  return {
    ok: false,
    status: badRequestStatus(`the object provided is unrecognized (must be of type ${expected.kind}): ${error} (${summary})`),
  };
}

function unsupportedText(contentType: string): string {
  return `the body of the request was in an unknown format - accepted media types include: application/json, application/yaml (was ${contentType})`;
}

/**
 * Returns the error for an apiVersion or kind that is not a string, if a later duplicate key replaced it. Go decodes every occurrence of a
 * key, so the error remains even if the duplicate is valid.
 */
function replacedTypeMetaError(reading: {
  readonly duplicates: readonly string[];
  readonly replaced?: readonly JsonValue[];
}): string | undefined {
  for (const [i, path] of reading.duplicates.entries()) {
    const value = reading.replaced?.[i];
    if ((path === 'apiVersion' || path === 'kind') && value !== undefined && value !== null && typeof value !== 'string')
      return notString(path, value);
  }
  return undefined;
}

function notString(field: string, value: JsonValue): string {
  return uninterpreted(`json: cannot unmarshal ${jsonKind(value)} into Go struct field .${field} of type string`);
}

/**
 * Returns a YAML parser error in the wording of the sigs.k8s.io/yaml version that `minor` uses. Version 1.3 begins the error about map keys
 * with a capital letter; version 1.4 begins it with a small letter.
 */
function yamlErrorText(error: string, minor: Minor): string {
  const isOlder = !crdHas(minor, 'mapKeyErrorsAreSmall');
  return isOlder ? error.replace(/^unsupported map key of type/, 'Unsupported map key of type') : error;
}

function lacksKind(object: JsonObject | null): boolean {
  return object === null || typeof object['kind'] !== 'string' || object['kind'] === '';
}

function missingKind(text: string): string {
  return `Object 'Kind' is missing in '${text}'`;
}

/**
 * Returns the kind and apiVersion of a document. Missing parts are taken from the request. Source: serializer/json/json.go
 * `gvkWithDefaults` (1.37).
 */
export function withDefaults(object: JsonObject | null, { kind, apiVersion = '' }: ExpectedKind): JsonObject {
  const given = typeof object?.['apiVersion'] === 'string' ? object['apiVersion'] : '';
  const unversioned = versionOf(given) === '' && (groupOf(given) === '' || groupOf(given) === groupOf(apiVersion));
  return Object.assign(newJsonObject(), {
    kind: lacksKind(object) ? kind : object?.['kind'],
    apiVersion: unversioned ? apiVersion : given,
  });
}

const TYPE_META: readonly string[] = ['apiVersion', 'kind'];

/**
 * Returns the error for an apiVersion or kind that cannot be decoded, or undefined if both are valid or absent. For YAML, apiVersion is
 * checked first, because the server converts YAML to JSON with sorted keys.
 */
function typeMetaError(value: JsonValue, syntax: Syntax): string | undefined {
  if (value === null) return undefined;
  if (!isJsonObject(value)) {
    return uninterpreted(
      `json: cannot unmarshal ${jsonKind(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  const fields = syntax === 'yaml' ? TYPE_META : Object.keys(value).filter((key) => TYPE_META.includes(key));
  for (const field of fields) {
    const name = value[field];
    if (name !== undefined && name !== null && typeof name !== 'string') return notString(field, name);
  }
  const apiVersion = value['apiVersion'];
  if (typeof apiVersion === 'string' && apiVersion.split('/').length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  return undefined;
}

/** Returns the 400 Status for an object whose kind is recognised but which cannot be decoded. */
export function cannotHandle(object: JsonObject, expected: ExpectedKind, why: string): Status {
  const apiVersion = typeof object['apiVersion'] === 'string' ? object['apiVersion'] : '';
  return badRequestStatus(
    `${String(object['kind'])} in version ${goQuote(versionOf(apiVersion))} cannot be handled as a ${expected.kind}: ${why}`,
  );
}

/**
 * Returns a warning for each error of strict decoding. One YAML error can list several problems, and each problem becomes a separate
 * warning.
 */
export function strictWarnings(strictErrors: readonly string[]): string[] {
  const prefix = 'yaml: unmarshal errors:\n';
  return strictErrors.flatMap((text) =>
    text.startsWith(prefix)
      ? text
          .slice(prefix.length)
          .split('\n')
          .map((line) => line.trim())
      : [text],
  );
}
