import type { CancellationToken } from '../cancellation.ts';
import type { JsonValue } from '../json/value.ts';
import { decodeDocument } from './decode-document.ts';
import { goValue, jsonOf } from './go-value.ts';
import { parseYamlDocument } from './yaml-node.ts';
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

/**
 * Returns the first document of a YAML text as JSON, in the same way as sigs.k8s.io/yaml. Words and octal numbers follow YAML 1.1, `1.0`
 * becomes the integer 1, keys become strings, merge keys are expanded, and excessive aliasing is rejected. The value is null if the first
 * document is empty or missing. The time is linear in the text plus the expanded aliases. Throws `Cancelled` if the token is cancelled.
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
