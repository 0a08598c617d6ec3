import { isJsonObject, sortedKeys } from '#go';
import type { JsonValue } from '#go';
import { joinPath } from '../../schema/decoder.ts';

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
