import { formatJsonFloat } from '../text/float-text.ts';
import { goQuote } from '../text/quote.ts';
import { decodeUtf8, isUtf8 } from '../json/decode-utf8.ts';
import { floatValue, intValue, newJsonObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { resolvePlain, resolveTagged } from './resolve-scalar.ts';
import type { YamlScalar } from './resolve-scalar.ts';
import { firstDocument } from './split-documents.ts';
import { parseYamlDocument } from './yaml-node.ts';
import type { YamlNode } from './yaml-node.ts';

/** A document read with its duplicate keys as go-yaml words them (`line 3: key "a" already set in map`); or the text of an error. */
export type YamlReading =
  { readonly ok: true; readonly value: JsonValue; readonly duplicates: readonly string[] } | { readonly ok: false; readonly error: string };

/** What libyaml refuses to read: control characters other than tab and line ends. */
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/;

/**
 * The first document of a YAML text as JSON, as sigs.k8s.io/yaml makes it: YAML 1.1 words and octals, `1.0` becomes the integer 1, keys
 * become strings, merge keys are followed, excessive aliasing is refused.
 */
export function readYaml(input: Uint8Array | string): YamlReading {
  if (typeof input !== 'string' && !isUtf8(input)) return { ok: false, error: 'yaml: invalid Unicode character' };
  const whole = typeof input === 'string' ? input : decodeUtf8(input);
  // libyaml ends lines at NEL too, and makes a line feed of it.
  const text = (whole.startsWith('\ufeff') ? whole.slice(1) : whole).replaceAll('\u0085', '\n');
  if (UNPRINTABLE.test(text)) return { ok: false, error: 'yaml: control characters are not allowed' };
  const document = parseYamlDocument(firstDocument(text));
  if (!document.ok) return { ok: false, error: `yaml: ${document.error}` };
  if (document.root === undefined) return { ok: true, value: null, duplicates: [] };
  const decoder = new Decoder();
  try {
    return { ok: true, value: decoder.decode(document.root), duplicates: decoder.duplicates };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, error: error.message };
    throw error;
  }
}

/** Unwinds the decoder; caught in `readYaml`. */
class Refusal extends Error {}

/** Up to this many decoded nodes nearly all may come from aliases; beyond the upper bound a tenth. Source: yaml/v2 decode.go. */
const ALIAS_RANGE_LOW = 400_000;
const ALIAS_RANGE_HIGH = 4_000_000;

function allowedAliasRatio(decoded: number): number {
  if (decoded <= ALIAS_RANGE_LOW) return 0.99;
  if (decoded >= ALIAS_RANGE_HIGH) return 0.1;
  return 0.99 - 0.89 * ((decoded - ALIAS_RANGE_LOW) / (ALIAS_RANGE_HIGH - ALIAS_RANGE_LOW));
}

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

class Decoder {
  readonly duplicates: string[] = [];
  private readonly following = new Set<YamlNode>();
  private decoded = 0;
  private fromAliases = 0;
  private aliasDepth = 0;

  decode(node: YamlNode): JsonValue {
    this.count();
    switch (node.kind) {
      case 'scalar':
        return this.scalarValue(this.resolve(node));
      case 'sequence':
        return node.items.map((item) => this.decode(item));
      case 'mapping': {
        const object = newJsonObject();
        this.mapping(node, object);
        return object;
      }
      case 'alias':
        return this.followed(node, () => this.decode(node.target));
    }
  }

  private count(): void {
    this.decoded += 1;
    if (this.aliasDepth > 0) this.fromAliases += 1;
    if (this.fromAliases > 100 && this.decoded > 1000 && this.fromAliases / this.decoded > allowedAliasRatio(this.decoded)) {
      throw new Refusal('yaml: document contains excessive aliasing');
    }
  }

  private followed<T>(node: YamlNode & { readonly kind: 'alias' }, read: () => T): T {
    if (this.following.has(node)) throw new Refusal(`yaml: anchor '${node.name}' value contains itself`);
    this.following.add(node);
    this.aliasDepth += 1;
    const value = read();
    this.aliasDepth -= 1;
    this.following.delete(node);
    return value;
  }

  private resolve(node: YamlNode & { readonly kind: 'scalar' }): YamlScalar {
    if (node.tag === '' || node.tag === '!')
      return node.plain && node.tag === '' ? resolvePlain(node.text) : { kind: 'string', value: node.text };
    const resolved = resolveTagged(node.tag, node.text);
    if (resolved.kind === 'error') throw new Refusal(`yaml: ${resolved.error}`);
    return resolved;
  }

  /** A scalar after its way through JSON text: whole floats become integers, integers beyond int64 become floats. */
  private scalarValue(scalar: YamlScalar): JsonValue {
    switch (scalar.kind) {
      case 'null':
        return null;
      case 'int':
        return this.integer(scalar.value);
      case 'float': {
        if (!Number.isFinite(scalar.value)) throw new Refusal(`json: unsupported value: ${goFloatName(scalar.value)}`);
        const text = formatJsonFloat(scalar.value);
        return /^-?\d+$/.test(text) ? this.integer(BigInt(text)) : floatValue(scalar.value);
      }
      default:
        return scalar.value;
    }
  }

  private integer(value: bigint): JsonValue {
    return value >= MIN_INT64 && value <= MAX_INT64 ? intValue(value) : floatValue(Number(value));
  }

  private mapping(node: YamlNode & { readonly kind: 'mapping' }, into: JsonObject): void {
    for (let i = 0; i < node.entries.length; i += 2) {
      const keyNode = node.entries[i] as YamlNode;
      const valueNode = node.entries[i + 1] as YamlNode;
      if (isMerge(keyNode)) {
        this.merge(valueNode, into);
        continue;
      }
      const { key, shown } = this.key(keyNode);
      const value = this.decode(valueNode);
      if (into[key] !== undefined) this.duplicates.push(`line ${valueNode.line}: key ${shown} already set in map`);
      into[key] = value;
    }
  }

  /** A mapping's key as text, and as Go prints it. */
  private key(node: YamlNode): { key: string; shown: string } {
    this.count();
    if (node.kind === 'alias') return this.followed(node, () => this.key(node.target));
    if (node.kind !== 'scalar') throw new Refusal('yaml: invalid map key');
    const scalar = this.resolve(node);
    switch (scalar.kind) {
      case 'string':
        return { key: scalar.value, shown: goQuote(scalar.value) };
      case 'bool':
      case 'int':
        return { key: String(scalar.value), shown: String(scalar.value) };
      case 'float': {
        const key = floatKey(scalar.value);
        return { key, shown: key };
      }
      case 'null':
        throw new Refusal('unsupported map key of type: %!s(<nil>), key: <nil>');
    }
  }

  private merge(node: YamlNode, into: JsonObject): void {
    if (node.kind === 'sequence') {
      for (const item of [...node.items].reverse()) this.mergeOne(item, into);
    } else {
      this.mergeOne(node, into);
    }
  }

  private mergeOne(node: YamlNode, into: JsonObject): void {
    const target = node.kind === 'alias' ? node.target : node;
    if (target.kind !== 'mapping') throw new Refusal('yaml: map merge requires map or sequence of maps as the value');
    this.count();
    if (node.kind === 'alias') this.followed(node, () => this.mapping(target, into));
    else this.mapping(target, into);
  }
}

function isMerge(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.text === '<<' && ((node.plain && node.tag === '') || node.tag === '!!merge');
}

function goFloatName(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

/** A float as key: float32 digits, as sigs.k8s.io/yaml writes it. */
function floatKey(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf';
  for (let digits = 1; digits <= 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === Math.fround(value)) return String(short);
  }
  return String(value);
}
