import { resolvePlain } from '#go';
import { isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { Document, Node, Pair, Scalar } from 'yaml';
import { editEntry, READ_FOR_PLACES } from './edit-entry.ts';
import type { EditedEntry, KeyPath } from './edit-entry.ts';
import { longestStep } from './written-field.ts';
import { writtenOffsets } from './written-offsets.ts';

/**
 * Part of a field whose text range is requested. `name` selects the key, and `value` selects the value. `field` selects the value if it is
 * a scalar, and otherwise the key.
 */
export type Focus = 'field' | 'name' | 'value';

/** Range of a text, as offsets in UTF-16 code units. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Value without quotes, with its path and range. */
export interface PlainScalar extends Stretch {
  readonly path: KeyPath;
  readonly text: string;
}

/** Key or value that was found at an offset of a document. */
export interface ValueRange {
  /** Keys and indices that lead from the root to the value. */
  readonly path: KeyPath;
  /** `key` if the offset is within the last key of the path; `value` if it is within the value. */
  readonly on: 'key' | 'value';
  /** Text and range of the key or value; undefined for maps and lists. */
  readonly scalar: (Stretch & { readonly text: string }) | undefined;
}

/**
 * Value that a search by key found in a document, with its path. For a scalar, this also contains its text and range. For a list, it also
 * contains the ranges of the list's entries.
 */
export interface KeyedValue {
  /** Keys and indices that lead to the value; the last element is the value's own key. */
  readonly path: KeyPath;
  /** Ranges of the first lines of the list's entries; empty if the value is not a list. */
  readonly items: readonly Stretch[];
  /** Text and range of the value; undefined for maps and lists. */
  readonly scalar: (Stretch & { readonly text: string }) | undefined;
}

/** Node at a field path, or the last node on this path that the document contains. */
interface Found {
  /** Key of the field; undefined for an entry of a list and for the root of the document. */
  readonly name: Node | undefined;
  readonly value: Node | null;
  /** Remaining part of the path that the document does not contain; empty if the document contains the field. */
  readonly rest: string;
}

const NOTHING: Found = { name: undefined, value: null, rest: 'nothing' };
/** Maximum length in UTF-16 code units of a document in which places are searched. A server accepts no longer document. */
const MAX_LENGTH = 16 * 1024 * 1024;
/** Maximum number of consecutive aliases that are resolved to find one value. */
const MAX_ALIASES = 100;

/**
 * YAML or JSON document with methods that find the places of fields in its text. A text with syntax errors is parsed as far as possible.
 */
export class SourceDocument {
  readonly text: string;
  #document: Document | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /**
   * Returns the document after an edit. If the edit stays inside one block entry, only this entry is parsed again. The syntax tree of this
   * document is then moved to the new document. This document is parsed again if it is used later.
   */
  edited(text: string): { readonly document: SourceDocument; readonly entry: EditedEntry | undefined } {
    const document = new SourceDocument(text);
    const tree = this.#document;
    const entry = tree && text.length <= MAX_LENGTH ? editEntry(tree, this.text, text) : undefined;
    if (entry !== undefined) {
      document.#document = tree;
      this.#document = undefined;
    }
    return { document, entry };
  }

  /** Parses the document immediately, so that later calls are fast. Returns false if the text has syntax errors. */
  read(): boolean {
    return this.#root() !== undefined && this.#document?.errors.length === 0;
  }

  /**
   * Returns the key or value at an offset, with its path and its text. Returns undefined if there is none at this offset. `offset` is in
   * UTF-16 code units.
   */
  placeAt(offset: number): ValueRange | undefined {
    const path: (string | number)[] = [];
    let node = this.#root() ?? null;
    for (;;) {
      const inside = node;
      if (isScalar(inside) && inside.range) return { path, on: 'value', scalar: this.#scalarAt(inside) };
      const next = isMap(inside)
        ? entryAt(inside.items as Entry[], offset)
        : isSeq(inside)
          ? itemAt(inside.items as Node[], offset)
          : undefined;
      if (next === undefined) return isMap(inside) || isSeq(inside) ? { path, on: 'value', scalar: undefined } : undefined;
      path.push(next.step);
      if (next.onKey !== undefined) return { path, on: 'key', scalar: this.#scalarAt(next.onKey) };
      node = next.value;
      if (node === null) return { path, on: 'value', scalar: undefined };
    }
  }

  #scalarAt(scalar: Scalar): ValueRange['scalar'] {
    const [start, end] = scalar.range as [number, number, number];
    return { start, end, text: String(scalar.value) };
  }

  /**
   * Yields the values of `key` in all maps of the document, in the order of the text. If a value is a list, its entries' ranges are
   * included.
   */
  *valuesOf(key: string): Iterable<KeyedValue> {
    const root = this.#root();
    if (root !== undefined) yield* valuesBelow(root, key, { path: [], text: this.text });
  }

  /**
   * Searches the strings that are values of `key` for one character, and returns its offsets in the document's text. `characterOf` returns
   * the character's offset in a string, in UTF-16 code units. It returns undefined if the string does not contain the character.
   */
  offsetsUnder(key: string, characterOf: (text: string) => number | undefined): number[] {
    return [...this.valuesOf(key)].flatMap(({ scalar }) => {
      const at = scalar && characterOf(scalar.text);
      if (scalar === undefined || at === undefined) return [];
      const offset = writtenOffsets(this.text.slice(scalar.start, scalar.end), scalar.text)[at];
      return offset === undefined ? [] : [scalar.start + offset];
    });
  }

  /**
   * Returns the range of a field. `field` is a path as Kubernetes writes it, such as `spec.rules[0].backends[0].port` or
   * `metadata.labels[a.b]`.
   *
   * If the document does not contain the field, returns the range of the nearest enclosing field. Returns undefined if the text is not a
   * document.
   */
  stretchOf(field: string, focus: Focus = 'field'): Stretch | undefined {
    const root = this.#root();
    if (root === undefined) return undefined;
    const { name, value, rest } = this.#find(root, field);
    const wantsValue = rest === '' && (focus === 'value' || (focus === 'field' && isScalar(value)));
    const node = (wantsValue ? value : undefined) ?? name ?? value;
    return node?.range ? trimmed(this.text, node.range[0], node.range[1]) : undefined;
  }

  /** Returns true if the document contains a field. */
  has(field: string): boolean {
    const root = this.#root();
    return root !== undefined && this.#find(root, field).rest === '';
  }

  /** Returns the text of a field; undefined if the field is not a scalar. */
  textOf(field: string): string | undefined {
    return this.#scalarOf(field)?.text;
  }

  /** Yields the values without quotes in a field, in the order of the text. Their paths begin at the field. */
  *plainScalars(field: string): Generator<PlainScalar> {
    const root = this.#root();
    const found = root && this.#find(root, field);
    if (found?.rest === '') yield* plainScalarsBelow(found.value, []);
  }

  /**
   * Returns the offset in the text of one character of a string field. Quotes, escapes and folded lines are taken into account. Returns
   * undefined if the field is not a string.
   *
   * @param at offset in the string, in UTF-16 code units
   */
  offsetInField(field: string, at: number): number | undefined {
    const scalar = this.#scalarOf(field);
    if (scalar === undefined) return undefined;
    const offset = writtenOffsets(this.text.slice(scalar.start, scalar.end), scalar.text)[at];
    return offset === undefined ? undefined : scalar.start + offset;
  }

  /**
   * Returns the text with one entry added to a map, or with a new value for an existing entry. Everything else, including comments, is
   * unchanged. Returns undefined if the field is not a map or is an empty map.
   *
   * @param value text of the entry's value, such as a number
   */
  withEntry(field: string, key: string, value: string): string | undefined {
    const root = this.#root();
    const found = root && this.#find(root, field);
    const map = found?.rest === '' ? this.#resolved(found.value) : undefined;
    if (!isMap(map)) return undefined;
    const entries = map.items as Entry[];
    const old = entries.find((entry) => keyText(entry) === key)?.value?.range;
    if (old) return this.text.slice(0, old[0]) + value + this.text.slice(old[1]);
    const first = entries[0]?.key?.range?.[0];
    if (first === undefined) return undefined;
    const name = this.text[first] === '"' ? JSON.stringify(key) : key;
    const indent = this.text.slice(this.text.lastIndexOf('\n', first - 1) + 1, first);
    const isOnItsLine = /^[ \t]*(?:- +)*$/.test(indent);
    const separator = (map.flow === true ? ',' : '') + (isOnItsLine ? `\n${indent.replaceAll('-', ' ')}` : ' ');
    return `${this.text.slice(0, first)}${name}: ${value}${separator}${this.text.slice(first)}`;
  }

  #scalarOf(field: string): (Stretch & { readonly text: string }) | undefined {
    const root = this.#root();
    const { value, rest } = root === undefined ? NOTHING : this.#find(root, field);
    if (rest !== '' || !isScalar(value) || !value.range) return undefined;
    return { start: value.range[0], end: value.range[1], text: String(value.value) };
  }

  #root(): Node | undefined {
    if (this.text.length > MAX_LENGTH) return undefined;
    try {
      this.#document ??= parseDocument(this.text, READ_FOR_PLACES);
    } catch {
      // The recursive parser fails on very deep nesting. Then the document has no positions.
      return undefined;
    }
    return this.#document.contents ?? undefined;
  }

  #find(root: Node, field: string): Found {
    let found: Found = { name: undefined, value: root, rest: field };
    for (;;) {
      const inside = this.#resolved(found.value);
      const next =
        found.rest === '' ? undefined : isMap(inside) ? this.#entryOf(inside.items as Entry[], found.rest) : elementOf(inside, found.rest);
      if (next === undefined) return found;
      found = next;
    }
  }

  #entryOf(entries: readonly Entry[], rest: string): Found | undefined {
    const merged = this.#merged(entries);
    const asWritten = new Map(merged.map((entry) => [keyText(entry), entry]));
    const found = longestStep(rest, asWritten.keys());
    // A server reads a key such as `yes` as a boolean, so its errors name the field `true`.
    const byKey = found === undefined ? new Map(merged.map((entry) => [keyAsRead(entry), entry])) : asWritten;
    const step = found ?? longestStep(rest, byKey.keys());
    const entry = step && byKey.get(step.key);
    return entry && { name: entry.key ?? undefined, value: entry.value ?? null, rest: rest.slice(step.length) };
  }

  /**
   * Returns the entries of a map, preceded by the entries that `<<` (the YAML merge key) merges into it. If several entries have the same
   * key, the last entry is valid.
   */
  #merged(entries: readonly Entry[]): Entry[] {
    const brought = entries
      .filter((entry) => keyText(entry) === '<<')
      .flatMap(({ value }) => {
        const target = this.#resolved(value ?? null);
        const maps = isSeq(target) ? target.items.map((item) => this.#resolved(item as Node)) : [target];
        return maps.flatMap((map) => (isMap(map) ? (map.items as Entry[]) : []));
      });
    return [...brought, ...entries];
  }

  #resolved(node: Node | null): Node | null {
    let target: Node | null | undefined = node;
    for (let i = 0; i < MAX_ALIASES && isAlias(target); i++) target = this.#document && target.resolve(this.#document);
    return isAlias(target) ? null : (target ?? null);
  }
}

type Entry = Pair<Node, Node | null>;

/**
 * Entry of a map or list that contains a requested offset, and the key or index that leads to it. `onKey` is set if the offset is within
 * the entry's key.
 */
interface Step {
  readonly step: string | number;
  readonly onKey: Scalar | undefined;
  readonly value: Node | null;
}

function entryAt(entries: readonly Entry[], offset: number): Step | undefined {
  const entry = entries.findLast(({ key }) => (key?.range?.[0] ?? Infinity) <= offset);
  if (entry === undefined || !isScalar(entry.key)) return undefined;
  const isKey = offset <= (entry.key.range?.[1] ?? 0);
  const value = entry.value ?? null;
  const isValue = value?.range ? value.range[0] <= offset && offset <= value.range[2] : false;
  return { step: keyText(entry), onKey: isKey ? entry.key : undefined, value: isValue ? value : null };
}

function itemAt(items: readonly (Node | null)[], offset: number): Step | undefined {
  const index = items.findLastIndex((item) => (item?.range?.[0] ?? Infinity) <= offset);
  const value = items[index] ?? null;
  return index < 0 ? undefined : { step: index, onKey: undefined, value };
}

function* valuesBelow(node: Node | null, key: string, at: { readonly path: KeyPath; readonly text: string }): Iterable<KeyedValue> {
  const { path, text } = at;
  if (isSeq(node)) for (const [i, item] of node.items.entries()) yield* valuesBelow(item as Node | null, key, { path: [...path, i], text });
  if (!isMap(node)) return;
  for (const { key: name, value } of node.items as Entry[]) {
    const step = isScalar(name) ? String(name.value) : '';
    const inside = [...path, step];
    if (step === key)
      yield {
        path: inside,
        items: isSeq(value)
          ? (value.items as Node[]).flatMap((item) => (item.range ? trimmed(text, item.range[0], item.range[1]) : []))
          : [],
        scalar: isScalar(value) && value.range ? { start: value.range[0], end: value.range[1], text: String(value.value) } : undefined,
      };
    yield* valuesBelow(value ?? null, key, { path: inside, text });
  }
}

/** Returns the key of an entry as the server reads it: a word such as `yes` without quotes is `true`. */
function keyAsRead(entry: Entry): string {
  const text = keyText(entry);
  const read = isScalar(entry.key) && entry.key.type === 'PLAIN' ? resolvePlain(text) : undefined;
  return read?.kind === 'bool' ? String(read.value) : text;
}

function* plainScalarsBelow(node: Node | null, path: KeyPath): Generator<PlainScalar> {
  if (isSeq(node)) for (const [i, item] of node.items.entries()) yield* plainScalarsBelow(item as Node | null, [...path, i]);
  else if (isMap(node)) for (const entry of node.items as Entry[]) yield* plainScalarsBelow(entry.value ?? null, [...path, keyText(entry)]);
  else if (isScalar(node) && node.type === 'PLAIN' && node.range)
    yield { path, text: String(node.value), start: node.range[0], end: node.range[1] };
}

const keyText = ({ key }: Entry): string => (isScalar(key) ? String(key.value) : '');

function elementOf(node: Node | null, rest: string): Found | undefined {
  const index = /^\[(\d+)\]/.exec(rest);
  const value = index && isSeq(node) ? (node.items[Number(index[1])] as Node | undefined) : undefined;
  return value && index ? { name: undefined, value, rest: rest.slice(index[0].length) } : undefined;
}

function trimmed(text: string, start: number, end: number): Stretch {
  const kept = text.slice(start, end).trimEnd();
  const line = kept.indexOf('\n');
  return { start, end: start + (line < 0 ? kept.length : line) };
}
