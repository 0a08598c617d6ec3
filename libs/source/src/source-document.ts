import { isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { Document, Node, Pair, Scalar } from 'yaml';
import { editEntry, READ_FOR_PLACES } from './edit-entry.ts';
import type { EditedEntry, ValuePath } from './edit-entry.ts';
import { longestStep } from './field-steps.ts';
import { writtenOffsets } from './written-offsets.ts';

/** The part of a field: its name or its value. `field` is the value if it is one scalar, else the name. */
export type Focus = 'field' | 'name' | 'value';

/** A stretch of a text, as offsets in UTF-16 code units. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** The content at a place of a document. */
export interface ValuePlace {
  /** Keys and indices from the root. */
  readonly path: ValuePath;
  /** True if the place is the last key of the path, false if it is its value. */
  readonly on: 'key' | 'value';
  /** The text of the key or value; undefined for maps and lists. */
  readonly scalar: (Stretch & { readonly text: string }) | undefined;
}

/** A value by its key. */
export interface KeyedValue {
  /** Keys and indices that lead to it; the last is its key. */
  readonly path: ValuePath;
  /** The places of the first lines of a list's entries. */
  readonly items: readonly Stretch[];
  /** The text of the value, and its place; undefined for maps and lists. */
  readonly scalar: (Stretch & { readonly text: string }) | undefined;
}

/** The target of a field path in a document, or how far the path leads. */
interface Found {
  /** Undefined of an entry of a list, and of the whole document. */
  readonly name: Node | undefined;
  readonly value: Node | null;
  /** The missing rest of the path; empty if the field is there. */
  readonly rest: string;
}

const NOTHING: Found = { name: undefined, value: null, rest: 'nothing' };
/** Longest document that is looked into, in UTF-16 code units: a server takes none that is longer. */
const MAX_LENGTH = 16 * 1024 * 1024;
/** Aliases that one path may go through. */
const MAX_ALIASES = 100;

/**
 * The text of one YAML or JSON document, in which fields can be found. A broken text is read as far as it makes sense.
 */
export class SourceDocument {
  readonly text: string;
  #document: Document | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /**
   * Returns the document after an edit. If the edit stays inside one entry of a block, only this entry is read again, and the next document takes this document's tree.
   * Then this document is read again if it is still used.
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

  /** Reads the document, for whoever wants to have that behind them; false where it has syntax errors. */
  read(): boolean {
    return this.#root() !== undefined && this.#document?.errors.length === 0;
  }

  /** Returns the value at an offset, in UTF-16 code units: its path of keys and indices, and its scalar; undefined if nothing is there. */
  placeAt(offset: number): ValuePlace | undefined {
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

  #scalarAt(scalar: Scalar): ValuePlace['scalar'] {
    const [start, end] = scalar.range as [number, number, number];
    return { start, end, text: String(scalar.value) };
  }

  /** Yields the values of a key in all maps of the document, in the order of the text. For lists it also yields the places of their entries. */
  *valuesOf(key: string): Iterable<KeyedValue> {
    const root = this.#root();
    if (root !== undefined) yield* valuesBelow(root, key, { path: [], text: this.text });
  }

  /** Returns the places of a character in all strings under a key that have it. `characterOf` tells its offset in a string, in UTF-16 code units. */
  offsetsUnder(key: string, characterOf: (text: string) => number | undefined): number[] {
    return [...this.valuesOf(key)].flatMap(({ scalar }) => {
      const at = scalar && characterOf(scalar.text);
      if (scalar === undefined || at === undefined) return [];
      const offset = writtenOffsets(this.text.slice(scalar.start, scalar.end), scalar.text)[at];
      return offset === undefined ? [] : [scalar.start + offset];
    });
  }

  /**
   * Returns the place of a field that Kubernetes names by its path, such as `spec.rules[0].backends[0].port` or `metadata.labels[a.b]`. If the document
   * lacks it, returns the nearest field around it. Undefined for a text that is no document.
   */
  stretchOf(field: string, focus: Focus = 'field'): Stretch | undefined {
    const root = this.#root();
    if (root === undefined) return undefined;
    const { name, value, rest } = this.#find(root, field);
    const wantsValue = rest === '' && (focus === 'value' || (focus === 'field' && isScalar(value)));
    const node = (wantsValue ? value : undefined) ?? name ?? value;
    return node?.range ? trimmed(this.text, node.range[0], node.range[1]) : undefined;
  }

  /** Returns whether the document has a field. */
  has(field: string): boolean {
    const root = this.#root();
    return root !== undefined && this.#find(root, field).rest === '';
  }

  /** Returns the text of a field; undefined if it is no scalar. */
  textOf(field: string): string | undefined {
    return this.#scalarOf(field)?.text;
  }

  /**
   * Returns the place of a character of a string field, whatever quotes and folding did to it; undefined if the field is no string.
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
   * Returns the text with one more entry in a map, or with another value for an entry. All else, comments too, stays the same. Undefined if the
   * field is no map, or an empty one.
   *
   * @param value the text of the value, such as a number
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
      // Nested too deeply for a parser that calls itself: the document has no places.
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
    const byKey = new Map(this.#merged(entries).map((entry) => [keyText(entry), entry]));
    const step = longestStep(rest, byKey.keys());
    const entry = step && byKey.get(step.key);
    return entry && { name: entry.key ?? undefined, value: entry.value ?? null, rest: rest.slice(step.length) };
  }

  /** Returns entries with the merged entries of `<<` before its own; the last of a name counts. */
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

/** A step into a map or list, and whether the place is on the step's key. */
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

function* valuesBelow(node: Node | null, key: string, at: { readonly path: ValuePath; readonly text: string }): Iterable<KeyedValue> {
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
