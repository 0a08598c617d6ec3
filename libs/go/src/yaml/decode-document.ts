import { Cancelled } from '../cancellation.ts';
import type { CancellationToken } from '../cancellation.ts';
import { newJsonObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { MAX_DEPTH } from '../json/syntax-error.ts';
import { goSyntaxOf, goValue, scalarJson, resolveNode } from './go-value.ts';
import { isMerge, keyIdentity, keyText, scalarSyntax } from './map-keys.ts';
import { isStringAtSight, shortInteger } from './resolve-scalar.ts';
import type { YamlScalar } from './resolve-scalar.ts';
import type { AliasNode, MappingNode, ScalarNode, SequenceNode, YamlNode } from './yaml-node.ts';
import { YamlError } from './yaml-error.ts';

/**
 * Up to this number of decoded nodes, at most 99 % of the nodes may come from aliases. From `RANGE_HIGH` nodes on, at most 10 % may.
 * Between these numbers, the limit falls linearly. Source: go.yaml.in/yaml/v2 decode.go.
 */
const RANGE_LOW = 400_000;
const RANGE_HIGH = 4_000_000;
/**
 * A document with at most this many nodes from aliases is always accepted. `FREE_DECODED` is the corresponding limit for all decoded nodes:
 * a document with at most that many is also always accepted.
 */
const FREE_ALIASED = 100;
const FREE_DECODED = 1000;

/** Counter that rejects short documents whose expanded aliases are very large. Source: go.yaml.in/yaml/v2 decode.go `unmarshal`. */
export class AliasBudget {
  #decoded = 0;
  #aliased = 0;

  /** Counts a node before it is decoded. Throws YamlError if too large a share of the counted nodes comes from aliases. */
  count(insideAlias: boolean): void {
    this.#decoded += 1;
    if (insideAlias) this.#aliased += 1;
    if (this.#aliased <= FREE_ALIASED || this.#decoded <= FREE_DECODED) return;
    if (this.#aliased / this.#decoded > allowedRatio(this.#decoded)) throw new YamlError('document contains excessive aliasing');
  }
}

function allowedRatio(decoded: number): number {
  if (decoded <= RANGE_LOW) return 0.99;
  if (decoded >= RANGE_HIGH) return 0.1;
  return 0.99 - 0.89 * ((decoded - RANGE_LOW) / (RANGE_HIGH - RANGE_LOW));
}

/** Result of decoding a document: its value, errors about duplicate keys, and facts that prevent its use as JSON. */
export interface DecodedDocument {
  readonly value: JsonValue;
  /** Errors about duplicate keys, in the wording of go-yaml's strict mode: `line 3: key "a" already set in map`. */
  readonly duplicates: readonly string[];
  /** Errors about duplicate keys in the outermost map. */
  readonly doubledAtRoot: readonly string[];
  /** True if the document contains something that JSON or a {@link JsonObject} cannot represent. `value` must then not be used. */
  readonly foreign: boolean;
  /** First bracket or brace of the resulting JSON that is nested more deeply than Go's JSON reader supports. Undefined if there is none. */
  readonly tooDeep: '[' | '{' | undefined;
}

/** Number of nodes between two checks of the cancellation token. */
const POLL_INTERVAL = 256;

/**
 * Decodes the nodes of a document to a JSON value. Aliases and merge keys are expanded, scalars are resolved, and keys become strings.
 * Throws YamlError if a node is invalid, and `Cancelled` if the token is cancelled. Source: go.yaml.in/yaml/v2 decode.go, sigs.k8s.io/yaml
 * `yamlToJSONTarget`.
 */
export function decodeDocument(root: YamlNode, token?: CancellationToken): DecodedDocument {
  const decoder = new Decoder(token);
  const value = decoder.decode(root);
  const { duplicates, doubledAtRoot } = decoder;
  return { value, duplicates, doubledAtRoot, foreign: decoder.foreign, tooDeep: decoder.tooDeep };
}

/** Object that is being built from a mapping. Merge keys can add entries of other mappings to it. */
class ObjectBuilder {
  readonly object: JsonObject = newJsonObject();
  /** Types and values of the keys. Undefined while all keys are strings. */
  #identities: Set<string> | undefined;

  /**
   * Sets the value of a key. `text` is the key in JSON, and `key` is the typed key if it is not a string. Returns false if the key was set
   * before.
   */
  set(text: string, key: YamlScalar | undefined, value: JsonValue): boolean {
    const known = this.object[text] !== undefined;
    this.object[text] = value;
    if (this.#identities === undefined) {
      if (key === undefined) return !known;
      this.#identities = new Set(Object.keys(this.object).map(stringIdentity));
      this.#identities.delete(stringIdentity(text));
      if (known) this.#identities.add(stringIdentity(text));
    }
    const identity = key === undefined ? stringIdentity(text) : keyIdentity(key);
    if (identity === undefined) return true;
    if (this.#identities.has(identity)) return false;
    this.#identities.add(identity);
    return true;
  }
}

function stringIdentity(text: string): string {
  return `string ${text}`;
}

/**
 * Purpose of decoding a collection: as a value, as one or several mappings to merge into `into`, or as a key. A collection as a key is an
 * error.
 */
type Role = 'value' | 'merge' | 'merge list' | 'key';

/** Collection whose children are being decoded. */
interface Frame {
  readonly node: SequenceNode | MappingNode;
  readonly role: Role;
  /** Alias that refers to this collection. Undefined if the collection is decoded directly. */
  readonly alias: AliasNode | undefined;
  readonly list: JsonValue[] | undefined;
  readonly into: ObjectBuilder | undefined;
  /** Index of the next child to decode. For a merged list, the number of remaining children. */
  next: number;
  /** Text of the key whose value is being decoded. `key` is set if the key is not a string. */
  text: string;
  key: YamlScalar | undefined;
}

/** Decoder that traverses nodes with an explicit stack, because go-yaml supports deeper nesting than the JavaScript call stack allows. */
class Decoder {
  readonly duplicates: string[] = [];
  readonly doubledAtRoot: string[] = [];
  foreign = false;
  tooDeep: '[' | '{' | undefined;
  readonly #token: CancellationToken | undefined;
  readonly #budget = new AliasBudget();
  readonly #following = new Set<AliasNode>();
  readonly #frames: Frame[] = [];
  #steps = 0;

  constructor(token: CancellationToken | undefined) {
    this.#token = token;
  }

  decode(root: YamlNode): JsonValue {
    // go-yaml counts the document itself as a node.
    this.#count();
    let value = this.#begin(root, 'value');
    for (;;) {
      const frame = this.#frames[this.#frames.length - 1];
      if (frame === undefined) return value as JsonValue;
      if (value !== undefined) this.#accept(frame, value);
      value = this.#advance(frame);
    }
  }

  #count(): void {
    this.#steps += 1;
    if (this.#steps % POLL_INTERVAL === 0 && this.#token?.cancelled === true) throw new Cancelled();
    this.#budget.count(this.#following.size > 0);
  }

  /**
   * Starts to decode a node. Returns the value of a scalar immediately. For a collection, pushes a frame, from which its children are
   * decoded later, and returns undefined.
   */
  #begin(node: YamlNode, role: 'value' | 'key'): JsonValue | undefined {
    this.#count();
    if (node.kind === 'scalar') return this.#scalar(node);
    let alias: AliasNode | undefined;
    let target: ScalarNode | SequenceNode | MappingNode;
    if (node.kind === 'alias') {
      alias = node;
      this.#follow(alias);
      this.#count();
      target = alias.target;
      if (target.kind === 'scalar') {
        this.#following.delete(alias);
        return this.#scalar(target);
      }
    } else {
      target = node;
    }
    const list = target.kind === 'sequence' ? [] : undefined;
    this.#push(target, role, alias, list, list === undefined ? new ObjectBuilder() : undefined);
    return undefined;
  }

  #push(
    node: SequenceNode | MappingNode,
    role: Role,
    alias: AliasNode | undefined,
    list: JsonValue[] | undefined,
    into: ObjectBuilder | undefined,
  ): void {
    const next = role === 'merge list' ? node.children.length : 0;
    this.#frames.push({ node, role, alias, list, into, next, text: '', key: undefined });
    if (this.#frames.length > MAX_DEPTH) this.tooDeep ??= list === undefined ? '{' : '[';
  }

  #follow(alias: AliasNode): void {
    if (this.#following.has(alias)) throw new YamlError(`anchor '${alias.name}' value contains itself`, alias.line + 1);
    this.#following.add(alias);
  }

  #scalar(node: ScalarNode): JsonValue {
    if (node.tag === '') {
      const { text } = node;
      if (!node.implicit || isStringAtSight(text)) return text;
      const integer = shortInteger(text);
      if (integer !== undefined) return integer;
    }
    const scalar = resolveNode(node);
    if (scalar.kind === 'float' && !Number.isFinite(scalar.value)) {
      this.foreign = true;
      return null;
    }
    return scalarJson(scalar);
  }

  #accept(frame: Frame, value: JsonValue): void {
    if (frame.list !== undefined) {
      frame.list.push(value);
    } else if (!(frame.into as ObjectBuilder).set(frame.text, frame.key, value)) {
      const node = frame.node.children[frame.next - 1] as YamlNode;
      const key = frame.key === undefined ? { kind: 'string' as const, value: frame.text } : frame.key;
      const duplicate = `line ${node.line + 1}: key ${scalarSyntax(key)} already set in map`;
      this.duplicates.push(duplicate);
      if (frame === this.#frames[0]) this.doubledAtRoot.push(duplicate);
    }
  }

  /**
   * Continues with a frame. Returns the value of the next child, or the value of the whole collection if no child is left. Returns
   * undefined if another frame must be processed first.
   */
  #advance(frame: Frame): JsonValue | undefined {
    if (frame.role === 'merge list') return this.#mergeNext(frame);
    const { children, kind } = frame.node;
    if (frame.next === children.length) return this.#complete(frame);
    if (kind === 'sequence') return this.#begin(children[frame.next++] as YamlNode, 'value');
    const key = children[frame.next] as YamlNode;
    const value = children[frame.next + 1] as YamlNode;
    if (isMerge(key)) {
      frame.next += 2;
      this.#merge(value, frame.into as ObjectBuilder);
      return undefined;
    }
    if (!this.#key(key, frame)) return undefined;
    frame.next += 2;
    return this.#begin(value, 'value');
  }

  #complete({ node, role, alias, list, into }: Frame): JsonValue | undefined {
    this.#frames.pop();
    if (alias !== undefined) this.#following.delete(alias);
    if (role === 'value') return list ?? (into as ObjectBuilder).object;
    if (role === 'key') throw new YamlError(`invalid map key: ${goSyntaxOf(goValue(node))}`, node.line + 1);
    return undefined;
  }

  /**
   * Reads the key of an entry into its frame. Returns false if the key is a collection. Such a key is decoded first, so that errors inside
   * it are found, and then rejected.
   */
  #key(node: YamlNode, frame: Frame): boolean {
    let scalar: ScalarNode;
    if (node.kind === 'scalar') {
      this.#count();
      scalar = node;
    } else if (node.kind === 'alias' && node.target.kind === 'scalar') {
      this.#count();
      this.#follow(node);
      this.#count();
      this.#following.delete(node);
      scalar = node.target;
    } else {
      this.#begin(node, 'key');
      return false;
    }
    if (scalar.tag === '' && (!scalar.implicit || isStringAtSight(scalar.text))) {
      frame.text = scalar.text;
      frame.key = undefined;
      return true;
    }
    const key = resolveNode(scalar);
    const text = keyText(key);
    if (text === undefined) this.foreign = true;
    frame.text = text ?? '';
    frame.key = key.kind === 'string' ? undefined : key;
    return true;
  }

  #merge(node: YamlNode, into: ObjectBuilder): void {
    if (node.kind === 'sequence') this.#push(node, 'merge list', undefined, undefined, into);
    else this.#mergeOne(node, into);
  }

  /** Merges the next mapping from a list of mappings, which are merged from the last to the first. */
  #mergeNext(frame: Frame): undefined {
    if (frame.next === 0) {
      this.#frames.pop();
      return;
    }
    frame.next -= 1;
    this.#mergeOne(frame.node.children[frame.next] as YamlNode, frame.into as ObjectBuilder);
  }

  #mergeOne(node: YamlNode, into: ObjectBuilder): void {
    const target = node.kind === 'alias' ? node.target : node;
    if (target.kind !== 'mapping') throw new YamlError('map merge requires map or sequence of maps as the value', node.line + 1);
    this.#count();
    if (node.kind !== 'alias') {
      this.#push(target, 'merge', undefined, undefined, into);
      return;
    }
    this.#follow(node);
    this.#count();
    this.#push(target, 'merge', node, undefined, into);
  }
}
