import { formatJsonFloat } from '../text/number-text.ts';
import { compareBytes } from '../sort.ts';
import { floatValue, intValue, newJsonObject, SpelledFloat } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { isMerge, isUnsigned, keyIdentity, keyText, scalarSyntax } from './map-keys.ts';
import type { YamlScalar } from './resolve-scalar.ts';
import type { MappingNode, YamlNode, ScalarNode } from './yaml-node.ts';
import { YamlError } from './yaml-error.ts';
import { resolvePlain, resolveTagged } from './resolve-scalar.ts';

/**
 * Document in the form that Go uses between YAML and JSON: maps with typed keys, and floats that JSON cannot represent. This form is used
 * only for documents that cannot be converted to JSON, to produce the error text.
 */
export type GoValue = YamlScalar | GoValue[] | GoMap;

/** Go map with the type `map[interface{}]interface{}`. It keeps its keys in the order in which they were first set. */
class GoMap {
  readonly #entries = new Map<string | symbol, { readonly key: YamlScalar; readonly value: GoValue }>();

  set(key: YamlScalar, value: GoValue): void {
    this.#entries.set(keyIdentity(key) ?? Symbol('NaN'), { key, value });
  }

  entries(): readonly { readonly key: YamlScalar; readonly value: GoValue }[] {
    return [...this.#entries.values()];
  }
}

/** Maximum nesting depth of a Go value. In the error text, null replaces deeper values. */
const MAX_DEPTH = 500;
const NULL: YamlScalar = { kind: 'null' };

/**
 * Returns the Go value to which go-yaml decodes a YAML node, before the value is converted to JSON. The node must decode without errors.
 * Null replaces values that are nested too deeply.
 */
export function goValue(node: YamlNode, depth = 0): GoValue {
  if (depth > MAX_DEPTH) return NULL;
  switch (node.kind) {
    case 'scalar':
      return resolveNode(node);
    case 'alias':
      return goValue(node.target, depth);
    case 'sequence':
      return node.children.map((child) => goValue(child, depth + 1));
    case 'mapping': {
      const map = new GoMap();
      fill(map, node, depth);
      return map;
    }
  }
}

function fill(map: GoMap, { children }: MappingNode, depth: number): void {
  for (let i = 0; i < children.length; i += 2) {
    const key = children[i] as YamlNode;
    const value = children[i + 1] as YamlNode;
    if (isMerge(key)) {
      const merged = value.kind === 'sequence' ? value.children.toReversed() : [value];
      for (const item of merged) {
        const mapping = item.kind === 'alias' ? item.target : item;
        if (mapping.kind === 'mapping') fill(map, mapping, depth + 1);
      }
    } else {
      map.set(goValue(key, depth + 1) as YamlScalar, goValue(value, depth + 1));
    }
  }
}

/**
 * Order of key types in which Go prints maps with mixed keys. Go orders types by their addresses, and this is the order in builds of
 * kube-apiserver.
 */
const KEY_ORDER: readonly string[] = ['null', 'string', 'uint', 'int', 'float', 'bool'];

function compareKeys(a: YamlScalar, b: YamlScalar): number {
  const rank = (key: YamlScalar): number => KEY_ORDER.indexOf(isUnsigned(key) ? 'uint' : key.kind);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (a.kind === 'string' && b.kind === 'string') return compareBytes(a.value, b.value);
  if (a.kind === 'null' || b.kind === 'null') return 0;
  if (a.value === b.value) return 0;
  // NaN comes before all other floats.
  if (a.kind === 'float' && Number.isNaN(a.value)) return -1;
  if (b.kind === 'float' && Number.isNaN(b.value)) return 1;
  return a.value < b.value ? -1 : 1;
}

/** Returns a value as Go's `%#v` writes it, except that null at the top level is `<nil>`. */
export function goSyntaxOf(value: GoValue): string {
  return isScalar(value) && value.kind === 'null' ? '<nil>' : inner(value);
}

function inner(value: GoValue): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(inner).join(', ')}}`;
  if (isScalar(value)) return scalarSyntax(value);
  const entries = value.entries().toSorted((a, b) => compareKeys(a.key, b.key));
  return `map[interface {}]interface {}{${entries.map((entry) => `${inner(entry.key)}:${inner(entry.value)}`).join(', ')}}`;
}

function isScalar(value: GoValue): value is YamlScalar {
  return !Array.isArray(value) && !(value instanceof GoMap);
}

/** Returns a value as JSON. Throws YamlError with the error text of Go's conversion or of Go's JSON writer. */
export function jsonOf(value: GoValue): JsonValue {
  refuseKeys(value);
  return written(value);
}

function refuseKeys(value: GoValue): void {
  if (Array.isArray(value)) {
    for (const item of value) refuseKeys(item);
  } else if (!isScalar(value)) {
    for (const entry of value.entries()) {
      if (keyText(entry.key) === undefined) {
        const type = entry.key.kind === 'null' ? '%!s(<nil>)' : 'uint64';
        const key = goSyntaxOf(entry.key);
        throw new YamlError(`unsupported map key of type: ${type}, key: ${key}, value: ${goSyntaxOf(entry.value)}`);
      }
      refuseKeys(entry.value);
    }
  }
}

function written(value: GoValue): JsonValue {
  if (Array.isArray(value)) return value.map(written);
  if (isScalar(value)) return scalarJson(value);
  const members = new Map(value.entries().map((entry) => [keyText(entry.key) as string, entry.value]));
  const object: JsonObject = newJsonObject();
  for (const key of [...members.keys()].sort(compareBytes)) object[key] = written(members.get(key) as GoValue);
  return object;
}

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/**
 * Returns the JSON value that a scalar has after it was written as JSON and read again. Whole floats become integers, and integers beyond
 * int64 become floats. Throws for NaN and infinities.
 */
export function scalarJson(scalar: YamlScalar): JsonValue {
  switch (scalar.kind) {
    case 'null':
      return null;
    case 'int':
      return integerJson(scalar.value);
    case 'float': {
      const { value } = scalar;
      if (!Number.isFinite(value)) throw new YamlError(`json: unsupported value: ${scalarSyntax(scalar)}`);
      const text = formatJsonFloat(value);
      return /^-?\d+$/.test(text) ? integerJson(BigInt(text)) : floatValue(value);
    }
    case 'bool':
    case 'string':
      return scalar.value;
  }
}

function integerJson(value: bigint): JsonValue {
  return value >= MIN_INT64 && value <= MAX_INT64 ? intValue(value) : new SpelledFloat(Number(value), String(value));
}

/**
 * Returns the value of a scalar. The tag determines its type. If there is no tag, the text of a plain scalar determines the type, and a
 * quoted scalar is a string. Throws YamlError if the text does not fit the tag. Source: go.yaml.in/yaml/v2 decode.go `scalar`.
 */
export function resolveNode({ tag, implicit, text }: ScalarNode): YamlScalar {
  if (tag !== '') return resolveTagged(tag, text);
  return implicit ? resolvePlain(text) : { kind: 'string', value: text };
}
