import { Float, readFirstDocument, utf8Bytes } from '#go';
import { MAX_BODY_BYTES } from '#kube';
import type { CancellationToken, JsonObject, JsonValue } from '#go';
import type { ObjectWrite, YamlBody } from '../verdict.ts';

/**
 * Assumed size in bytes of an object that the caller passes as a parsed value. With this assumption, the object need not be encoded only to
 * measure its size.
 */
const SUPPOSED_BYTES = 512;
/** Maximum depth of nesting to which `isPlain` inspects a value. Deeper values count as values that JSON cannot represent exactly. */
const DEEPEST = 200;

/** Body of a write request, with a function that returns it as JSON bytes if possible. */
export interface JsonSource {
  /** Approximate size of the body, in bytes. */
  readonly length: number;
  /** Returns the JSON bytes, or undefined if JSON written by `JSON.stringify` would not represent the same value. */
  readonly bytes: () => Uint8Array | undefined;
}

/** Parses a body as YAML. Throws `Cancelled` if the token is cancelled. */
export function readYamlBody(body: Uint8Array, token: CancellationToken | undefined): YamlBody {
  const started = performance.now();
  const reading = readFirstDocument(body, token);
  return { reading, ms: performance.now() - started };
}

/**
 * Parses the YAML body of a write request in advance and returns the request with the parsed value. The fast generated reader and the exact
 * validation then share this value. Returns the request unchanged if its body is not YAML or is longer than `MAX_BODY_BYTES`.
 */
export function parseYamlFirst(write: ObjectWrite, token: CancellationToken | undefined): ObjectWrite {
  const { body, contentType, yaml } = write;
  if (yaml !== undefined || !(body instanceof Uint8Array) || contentType !== 'application/yaml' || body.length > MAX_BODY_BYTES)
    return write;
  return { ...write, yaml: readYamlBody(body, token) };
}

/**
 * Returns the JSON of a write request for a generated reader. The JSON is the sent bytes, or is created from a YAML body or from a parsed
 * value. Returns undefined if there is no such JSON, for example for a body that is a string.
 */
export function jsonSource({ body, contentType, yaml }: ObjectWrite): JsonSource | undefined {
  if (typeof body === 'string') return undefined;
  if (!(body instanceof Uint8Array)) return { length: SUPPOSED_BYTES, bytes: () => bytesOf(body) };
  const { length } = body;
  if (length > MAX_BODY_BYTES) return undefined;
  if (contentType === undefined || contentType === 'application/json') return { length, bytes: () => body };
  // The generated reader does not report duplicate keys, so the exact code reads such a body.
  const reading = yaml?.reading;
  if (reading?.ok !== true || reading.duplicates.length > 0) return undefined;
  return { length, bytes: () => bytesOf(reading.value) };
}

function bytesOf(value: JsonValue): Uint8Array | undefined {
  if (!isPlain(value, DEEPEST)) return undefined;
  const text = JSON.stringify(value);
  // JSON.stringify writes a lone surrogate as an escape such as `\ud800`. A reader would read that escape as another character.
  return text.includes('\\ud') ? undefined : utf8Bytes(text);
}

/**
 * Returns true if JSON can represent a value exactly: all its numbers are safe integers or finite fractions. Returns false for a value that
 * is nested deeper than `levels`.
 */
function isPlain(value: JsonValue, levels: number): boolean {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- JSON.stringify writes no other values
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      // JSON has no other numbers: NaN and infinity would become null.
      return Number.isFinite(value);
    case 'object':
      return value === null || (levels > 0 && (Array.isArray(value) ? isPlainList(value, levels - 1) : isPlainObject(value, levels - 1)));
    default:
      return false;
  }
}

function isPlainList(list: readonly JsonValue[], levels: number): boolean {
  for (const item of list) if (!isPlain(item, levels)) return false;
  return true;
}

function isPlainObject(object: object, levels: number): boolean {
  if (object instanceof Float) return false;
  const fields = object as JsonObject;
  for (const key in fields) if (!isPlain(fields[key] as JsonValue, levels)) return false;
  return true;
}
