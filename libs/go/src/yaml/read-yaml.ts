import type { CancellationToken } from '../cancellation.ts';
import type { JsonValue } from '../json/value.ts';
import { decodeDocument } from './decode-document.ts';
import { goValue, jsonOf } from './go-value.ts';
import { utf8Length } from '../bytes.ts';
import { isUtf16, readSource } from './source-text.ts';
import { documentsAfterFirst, parseYamlDocument } from './yaml-node.ts';
import type { YamlNode } from './yaml-node.ts';
import { YamlError } from './yaml-error.ts';

/**
 * Result of reading a YAML document: the value and the errors about duplicate keys (`line 3: key "a" already set in map`), or the text of
 * an error.
 */
export type YamlReading =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      readonly duplicates: readonly string[];
      /** Errors about duplicate keys in the outermost map. */
      readonly doubledAtRoot: readonly string[];
      /** True if the text contains no document. Otherwise absent. */
      readonly isMissing?: true;
    }
  | {
      readonly ok: false;
      /** Error text in Go's words: from go-yaml (`yaml: …`), from the conversion to JSON, or from the JSON reader. */
      readonly error: string;
      /** Line of the error, from 1, or 0 if the line is unknown. */
      readonly line: number;
      /** True if the YAML is valid, but Go's JSON reader rejects the JSON that it is converted to. Otherwise absent. */
      readonly asJson?: true;
    };

/** Document that follows the first one of a text. */
export interface FollowingDocument {
  /** Offset of its first byte, from 0. */
  readonly start: number;
  /** Line on which it begins, from 1. */
  readonly line: number;
}

/** Result of reading the first document of a YAML text. */
export type FirstDocument = YamlReading & {
  /** Rest of the text. Absent if no other document follows. */
  readonly rest?: {
    /** Offset of the first byte after the first document, from 0. The unit is a byte, or a UTF-16 code unit if the text is a string. */
    readonly start: number;
    /** Line on which the second document begins, from 1. */
    readonly line: number;
  };
};

/**
 * Returns the only document of a YAML text as JSON, in the same way as sigs.k8s.io/yaml. Words and octal numbers follow YAML 1.1, `1.0`
 * becomes the integer 1, keys become strings, merge keys are expanded, and excessive aliasing is rejected. The value is null if the document
 * is empty or missing. The time is linear in the text plus the expanded aliases. Throws `Cancelled` if the token is cancelled.
 *
 * Unlike sigs.k8s.io/yaml, which drops everything after the first document, it refuses a text with several documents.
 */
export function readYaml(input: Uint8Array | string, token?: CancellationToken): YamlReading {
  return refuseRest(readFirstDocument(input, token));
}

/** Returns the result of reading a text with one document. Returns an error if other documents follow. */
export function refuseRest(reading: FirstDocument): YamlReading {
  if (!reading.ok || reading.rest === undefined) return reading;
  const { line } = reading.rest;
  return { ok: false, error: `yaml: line ${line}: a second document begins here, and only the first one would be read`, line };
}

/**
 * Returns the first document of a YAML text as JSON, in the same way as sigs.k8s.io/yaml. A server reads bodies in this way. If other
 * documents follow, which {@link followingDocuments} returns, the result says so. Throws `Cancelled` if the token is cancelled.
 */
export function readFirstDocument(input: Uint8Array | string, token?: CancellationToken): FirstDocument {
  const document = parseYamlDocument(input, token);
  if (!document.ok) return { ok: false, error: `yaml: ${document.error}`, line: document.line };
  const { root, rest } = document;
  if (root === undefined) return { ok: true, value: null, duplicates: [], doubledAtRoot: [], isMissing: true };
  const reading = readNode(root, token);
  return rest === undefined ? reading : { ...reading, rest: { start: byteOffsets(input)(rest.offset), line: rest.line + 1 } };
}

/**
 * Yields the documents after the first one of a text, which sigs.k8s.io/yaml drops. Empty documents are left out. If the text becomes
 * invalid, the last result is the document with the error. Throws `Cancelled` if the token is cancelled.
 */
export function* followingDocuments(input: Uint8Array, token?: CancellationToken): Generator<FollowingDocument, void> {
  const byteOffset = byteOffsets(input);
  for (const { line, offset } of documentsAfterFirst(input, token)) yield { start: byteOffset(offset), line: line + 1 };
}

/**
 * Returns a function that converts increasing offsets in the text that the YAML scanner reads to offsets in the input. The scanner's text
 * has no byte order mark.
 */
function byteOffsets(input: Uint8Array | string): (offset: number) => number {
  if (typeof input === 'string') return (offset) => offset + (input.startsWith('\ufeff') ? 1 : 0);
  const { text } = readSource(input);
  const isWide = isUtf16(input);
  let [at, bytes] = [0, isWide ? 2 : input[0] === 0xef && input[1] === 0xbb && input[2] === 0xbf ? 3 : 0];
  return (offset) => {
    bytes += isWide ? 2 * (offset - at) : utf8Length(text.slice(at, offset));
    at = offset;
    return bytes;
  };
}

function readNode(root: YamlNode, token: CancellationToken | undefined): YamlReading {
  let decoded;
  try {
    decoded = decodeDocument(root, token);
  } catch (error) {
    if (error instanceof YamlError) return { ok: false, error: `yaml: ${error.message}`, line: error.line };
    throw error;
  }
  const { value, duplicates, doubledAtRoot, foreign, tooDeep } = decoded;
  if (tooDeep !== undefined) return { ok: false, error: `invalid character '${tooDeep}' exceeded max depth`, line: 0, asJson: true };
  if (!foreign) return { ok: true, value, duplicates, doubledAtRoot };
  try {
    return { ok: true, value: jsonOf(goValue(root)), duplicates, doubledAtRoot };
  } catch (error) {
    if (error instanceof YamlError) return { ok: false, error: error.message, line: error.line };
    throw error;
  }
}
