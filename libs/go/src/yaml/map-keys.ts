import { formatFloat } from '../text/number-text.ts';
import { goQuote } from '../text/quote.ts';
import type { YamlNode } from './yaml-node.ts';
import { YAML_TAG } from './resolve-scalar.ts';
import type { YamlScalar } from './resolve-scalar.ts';

const MAX_INT64 = 2n ** 63n - 1n;

/**
 * Returns true if a key is the merge key `<<`, whose value is merged into the mapping that contains the key. Source: go.yaml.in/yaml/v2
 * decode.go `isMerge`.
 */
export function isMerge(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.text === '<<' && (node.implicit || node.tag === `${YAML_TAG}merge`);
}

/**
 * Returns the text that a key has in JSON. Returns undefined for null and for integers beyond int64, which cannot be keys in JSON. Source:
 * sigs.k8s.io/yaml `convertToJSONableObject`.
 */
export function keyText(key: YamlScalar): string | undefined {
  switch (key.kind) {
    case 'string':
      return key.value;
    case 'bool':
      return String(key.value);
    case 'int':
      return isUnsigned(key) ? undefined : String(key.value);
    case 'float':
      return floatKey(key.value);
    case 'null':
      return undefined;
  }
}

/**
 * Returns a text that identifies a key in a Go map by type and value. Returns undefined for NaN, because NaN does not equal any key,
 * including itself.
 */
export function keyIdentity(key: YamlScalar): string | undefined {
  if (key.kind === 'null') return 'null';
  if (key.kind === 'float') return Number.isNaN(key.value) ? undefined : `float ${key.value === 0 ? 0 : key.value}`;
  return `${key.kind} ${String(key.value)}`;
}

/** Returns a scalar as Go's `%#v` writes it. */
export function scalarSyntax(scalar: YamlScalar): string {
  switch (scalar.kind) {
    case 'null':
      return 'interface {}(nil)';
    case 'string':
      return goQuote(scalar.value);
    case 'float':
      return formatFloat(scalar.value);
    case 'int':
      return isUnsigned(scalar) ? `0x${scalar.value.toString(16)}` : String(scalar.value);
    case 'bool':
      return String(scalar.value);
  }
}

/** Returns true if Go stores a scalar as uint64, because it exceeds int64. */
export function isUnsigned(scalar: YamlScalar): boolean {
  return scalar.kind === 'int' && scalar.value > MAX_INT64;
}

/**
 * Returns the text of a float key. It has the shortest digits of the value as float32, as Go's `FormatFloat(value, 'g', -1, 32)` writes
 * them.
 */
function floatKey(value: number): string {
  const narrow = Math.fround(value);
  if (!Number.isFinite(narrow)) return Number.isNaN(narrow) ? '.nan' : narrow > 0 ? '.inf' : '-.inf';
  for (let digits = 1; digits <= 9; digits++) {
    const short = Number(narrow.toPrecision(digits));
    if (Math.fround(short) === narrow) return formatFloat(short);
  }
  return formatFloat(narrow);
}
