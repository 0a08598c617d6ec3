import { isMap, isNode, isPair, isScalar, isSeq, parseDocument } from 'yaml';
import type { Document, Node, Pair, YAMLMap, YAMLSeq } from 'yaml';

/**
 * Options with which the `yaml` package parses a document to find the positions of fields in its text. Every scalar is read as a string, so
 * that a key such as `1` or `true` equals its text.
 */
export const READ_FOR_PLACES = { schema: 'failsafe', uniqueKeys: false, logLevel: 'silent', prettyErrors: false } as const;

/**
 * Maximum length of an entry that is parsed separately, in UTF-16 code units. Parsing a longer entry separately saves little time. An error
 * in such an entry would also invalidate everything around the entry.
 */
const MAX_ENTRY = 20_000;

/** Keys and indices that lead from the root of a document to a value. */
export type KeyPath = readonly (string | number)[];

/** Entry of a map or list that an edit changed. The rest of the document is unchanged. */
export interface EditedEntry {
  /** Path of the entry. The last step is the entry's own key or index. */
  readonly path: KeyPath;
  /** Current lines of the entry. If they are parsed separately, the result is a map or list with only this entry. */
  readonly text: string;
}

/**
 * Edit of a text. The part from `start` to `oldEnd` was replaced by the part from `start` to `newEnd` of the new text. All offsets are in
 * UTF-16 code units.
 */
interface Edit {
  readonly start: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

/** Lines that contain exactly one entry of a block, with the block that contains the entry. */
interface Lines {
  readonly block: YAMLMap<Node, Node | null> | YAMLSeq<Node | null>;
  readonly index: number;
  readonly path: KeyPath;
  readonly start: number;
  readonly end: number;
}

/**
 * Updates the parsed form of a text after an edit of the text. Parses only the innermost block entry (map or list entry in YAML block
 * style) that contains the whole edit. Changes `document` in place, and returns the changed entry.
 *
 * Returns undefined and changes nothing if this is impossible. Examples are an edit that leaves the entry broken, and an edit at the
 * document's first level.
 */
export function editEntry(document: Document, oldText: string, newText: string): EditedEntry | undefined {
  if (document.errors.length > 0 || holdsReferences(oldText) || !isNode(document.contents)) return undefined;
  const edit = editBetween(oldText, newText);
  const grown = edit.newEnd - edit.oldEnd;
  const { contents } = document;
  const around = [edit, earliest(edit, oldText, newText)].flatMap((one) => linesAround(contents, oldText, one));
  for (const lines of around.toSorted((a, b) => b.path.length - a.path.length)) {
    const text = newText.slice(lines.start, lines.end + grown);
    if (text.length > MAX_ENTRY) return undefined;
    const entry = parseEntry(text, lines, oldText);
    if (entry === undefined) continue;
    move(contents, (at) => (at >= lines.end ? at + grown : at));
    move(entry, (at) => at + lines.start);
    replace(lines, entry);
    return { path: lines.path, text };
  }
  return undefined;
}

/**
 * Returns true if a text may contain anchors, aliases or merge keys, because these make entries depend on each other. The check is fast but
 * may also return true because of similar characters in a rule.
 */
function holdsReferences(text: string): boolean {
  return /(?:^|[\s[{,])(?:[&*][\w-]+(?=\s|$)|<<:)/m.test(text);
}

function editBetween(before: string, after: string): Edit {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let same = 0;
  while (same < shorter - start && before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)) same++;
  return { start, oldEnd: before.length - same, newEnd: after.length - same };
}

/**
 * Returns the equivalent edit that begins as early as possible. For example, inserting a line after an equal line has the same result as
 * inserting it before that line.
 */
function earliest({ start, oldEnd, newEnd }: Edit, before: string, after: string): Edit {
  const longer = newEnd > oldEnd ? after : before;
  const length = Math.abs(newEnd - oldEnd);
  if (start !== Math.min(oldEnd, newEnd)) return { start, oldEnd, newEnd };
  let back = 0;
  while (back < start && longer[start - 1 - back] === longer[start - 1 - back + length]) back++;
  return { start: start - back, oldEnd: oldEnd - back, newEnd: newEnd - back };
}

/** Returns the entries whose lines contain the whole edit, from the outermost to the innermost entry. */
function linesAround(root: Node, text: string, edit: Edit): Lines[] {
  const found: Lines[] = [];
  let node: Node | null = root;
  let path: KeyPath = [];
  let end = text.length;
  while ((isMap(node) || isSeq(node)) && node.flow !== true) {
    const block = node as Lines['block'];
    const starts = block.items.map((item) => startOf(item));
    let index = -1;
    for (const [i, start] of starts.entries()) if (start !== undefined && lineOf(text, start) <= edit.start) index = i;
    const start = starts[index];
    if (start === undefined) return found;
    const next = starts[index + 1];
    end = next === undefined ? end : lineOf(text, next);
    if (edit.oldEnd > end || (edit.oldEnd === end && end < text.length)) return found;
    const item = block.items[index] as Pair<Node, Node | null> | Node;
    const step = isPair(item) ? (isScalar(item.key) ? String(item.key.value) : undefined) : index;
    if (step === undefined) return found;
    path = [...path, step];
    const line = lineOf(text, start);
    const isOnItsLine = /^ *(?:- +)?$/.test(text.slice(line, start)) && isSeq(block) === text.slice(line, start).includes('-');
    if (isOnItsLine) found.push({ block, index, path, start: line, end });
    node = isPair(item) ? item.value : item;
  }
  return found;
}

const startOf = (item: unknown): number | undefined =>
  isPair(item) ? (isNode(item.key) ? item.key.range?.[0] : undefined) : isNode(item) ? item.range?.[0] : undefined;

const lineOf = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

/** Parses lines that should contain one entry at the same column as before the edit. Returns undefined if they contain anything else. */
function parseEntry(text: string, { block, index, start }: Lines, oldText: string): Pair<Node, Node | null> | Node | undefined {
  if (/^(?:---|\.\.\.|%)/m.test(text) || !text.endsWith('\n') || holdsReferences(text)) return undefined;
  const parsed = parseDocument(text, READ_FOR_PLACES);
  const { contents } = parsed;
  if (parsed.errors.length > 0 || parsed.warnings.length > 0) return undefined;
  const isSame = isMap(block) ? isMap(contents) : isSeq(contents);
  const items = isMap(contents) || isSeq(contents) ? contents.items : [];
  const [entry] = items;
  if (!isSame || items.length !== 1 || (contents as YAMLMap).flow === true) return undefined;
  const before = startOf(block.items[index]);
  const now = startOf(entry);
  if (before === undefined || now === undefined) return undefined;
  // The spaces and dashes before an entry determine its parent, so they must be the same as before the edit.
  const isInPlace = shapeOf(text.slice(lineOf(text, now), now)) === shapeOf(oldText.slice(start, before));
  return isInPlace ? entry : undefined;
}

/** Returns the indentation of an entry, including its dash and without the spaces after the dash. */
const shapeOf = (margin: string): string => margin.replace(/- +$/, '-');

/**
 * Applies `moved` to all offsets of a node and its descendants. The YAML library's visitor is slower, because it also builds the path to
 * each node.
 */
function move(node: unknown, moved: (at: number) => number): void {
  if (isPair(node)) {
    move(node.key, moved);
    move(node.value, moved);
    return;
  }
  if (!isNode(node)) return;
  if (node.range) {
    const [start, valueEnd, nodeEnd] = node.range;
    node.range = [moved(start), moved(valueEnd), moved(nodeEnd)];
  }
  if (isMap(node) || isSeq(node)) for (const item of node.items) move(item, moved);
}

function replace({ block, index }: Lines, entry: Pair<Node, Node | null> | Node): void {
  (block.items as unknown[])[index] = entry;
}
