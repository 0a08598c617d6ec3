import type { CancellationToken } from '../cancellation.ts';
import type { JsonValue } from '../json/value.ts';
import { decodeDocument } from './decode-document.ts';
import { goValue, jsonOf } from './go-value.ts';
import { parseYamlDocument } from './yaml-node.ts';
import { YamlError } from './yaml-error.ts';

/** A document read with its duplicate keys as go-yaml words them (`line 3: key "a" already set in map`); or the text of an error. */
export type YamlReading =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      readonly duplicates: readonly string[];
      /** The duplicates of the outermost map. */
      readonly doubledAtRoot: readonly string[];
    }
  | {
      readonly ok: false;
      /** Go's words: of go-yaml (`yaml: …`), of the conversion to JSON, or of the JSON reader. */
      readonly error: string;
      /** Line of the error, from 1; 0 if it is unknown. */
      readonly line: number;
      /** Present when YAML had no fault: it is the JSON made of it that Go's reader refuses. */
      readonly asJson?: true;
    };

/**
 * Returns the first document of a YAML text as JSON, as sigs.k8s.io/yaml makes it: YAML 1.1 words and octals, `1.0` becomes the integer 1, keys
 * become strings, merge keys are followed, excessive aliasing is refused. Null when the first document is empty, or there is none. Work is
 * linear in the text and in what its aliases come to; throws `Cancelled` when the token asks for it.
 */
export function readYaml(input: Uint8Array | string, token?: CancellationToken): YamlReading {
  const document = parseYamlDocument(input, token);
  if (!document.ok) return { ok: false, error: `yaml: ${document.error}`, line: document.line };
  const { root } = document;
  if (root === undefined) return { ok: true, value: null, duplicates: [], doubledAtRoot: [] };
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
