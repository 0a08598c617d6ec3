import { isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { Document, Node, Pair } from 'yaml';
import { longestStep } from './field-steps.ts';
import { writtenOffsets } from './written-offsets.ts';

/** What of a field is wanted: where its name stands, or its value; `field` is the value where that is one scalar, and else the name. */
export type Focus = 'field' | 'name' | 'value';

/** A stretch of a text, as offsets in UTF-16 code units. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** What a field path leads to in a document, or how far it leads. */
interface Found {
  /** Undefined of an entry of a list, and of the whole document. */
  readonly name: Node | undefined;
  readonly value: Node | null;
  /** What of the path is not there; empty when the field is. */
  readonly rest: string;
}

const NOTHING: Found = { name: undefined, value: null, rest: 'nothing' };
/** Longest document that is looked into, in UTF-16 code units: a server takes none that is longer. */
const MAX_LENGTH = 16 * 1024 * 1024;
/** Aliases that one path may go through. */
const MAX_ALIASES = 100;

/**
 * One YAML or JSON document as it was written, to find its fields in. Text that is broken is read as far as it makes sense.
 */
export class SourceDocument {
  readonly text: string;
  #document: Document | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /**
   * Where a field stands that Kubernetes names by its path, such as `spec.rules[0].backends[0].port` or `metadata.labels[a.b]`; where the document
   * lacks it, the nearest field around it. Undefined for what is no document.
   */
  stretchOf(field: string, focus: Focus = 'field'): Stretch | undefined {
    const root = this.#root();
    if (root === undefined) return undefined;
    const { name, value, rest } = this.#find(root, field);
    const wantsValue = rest === '' && (focus === 'value' || (focus === 'field' && isScalar(value)));
    const node = (wantsValue ? value : undefined) ?? name ?? value;
    return node?.range ? trimmed(this.text, node.range[0], node.range[1]) : undefined;
  }

  /** Whether the document has a field. */
  has(field: string): boolean {
    const root = this.#root();
    return root !== undefined && this.#find(root, field).rest === '';
  }

  /** A string field as it is read; undefined where it is no scalar. */
  textOf(field: string): string | undefined {
    return this.#scalarOf(field)?.text;
  }

  /**
   * Where a character of a string field was written, whatever quotes and folding did to it; undefined where the field is no string.
   *
   * @param at of the string as it was read, in UTF-16 code units
   */
  offsetInField(field: string, at: number): number | undefined {
    const scalar = this.#scalarOf(field);
    if (scalar === undefined) return undefined;
    const offset = writtenOffsets(this.text.slice(scalar.start, scalar.end), scalar.text)[at];
    return offset === undefined ? undefined : scalar.start + offset;
  }

  /**
   * The document with one more entry in a map, or another value of one that is there; all else, comments too, stays as it was written. Undefined where the
   * field is no map, or an empty one.
   *
   * @param value as it is to be written, such as a number
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
      // `failsafe`: every scalar is a string, so that a key is what was written.
      this.#document ??= parseDocument(this.text, { schema: 'failsafe', uniqueKeys: false, logLevel: 'silent', prettyErrors: false });
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

  /** Entries with those that `<<` brings in before its own; the last of a name counts. */
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
