import { flowPlace } from './flow-place.ts';
import type { KeyPath } from '../../texts/edit-entry.ts';

/**
 * Position in a YAML text, described by the path of the map and the key that contain it. The path is determined from indentation, and in
 * flow style from brackets. It is therefore also available for texts with syntax errors.
 */
export interface WrittenPlace {
  /** Path of the innermost map at the position: keys and indices from the root of the document. */
  readonly map: KeyPath;
  /** Key of the value at the position. Undefined if the position is in a key. */
  readonly key: string | undefined;
  /** Incomplete text of the key or value before the position. */
  readonly written: string;
  /** Keys of the map, except the key at the position. */
  readonly siblings: ReadonlySet<string>;
  /** Style of the incomplete scalar: unquoted, quoted, or a block scalar. */
  readonly style: 'plain' | 'single' | 'double' | 'block';
  /** True if the map is in flow style, as all of JSON is. */
  readonly isFlow: boolean;
}

/** Line, divided into the parts that determine indentation. */
interface Line {
  readonly blank: boolean;
  /** Columns (from 0) of the dashes of the list entries that begin on this line. */
  readonly dashes: readonly number[];
  /** Column (from 0) of the text after the dashes, or after the indentation if there is no dash. */
  readonly column: number;
  readonly key: string | undefined;
  /** Text after the key and colon, or the text after the dashes if the line has no key. */
  readonly rest: string;
}

const KEY = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s"'#{}[\],&*!|>%@`-][^#]*?|-[^\s#][^#]*?))[ \t]*:(?:[ \t]+(.*))?$/;
const BLOCK_HEADER = /^[|>][-+0-9]*[ \t]*(?:#.*)?$/;

/**
 * Returns the {@link WrittenPlace} of a position in a YAML text: the path of the map and the key that contain the position. Returns
 * undefined if they cannot be determined.
 *
 * @param lines lines of the document before the line of the position
 * @param before text before the position, in the line of the position
 * @param after lines after the line of the position
 */
export function writtenPlace(lines: readonly string[], before: string, after: readonly string[] = []): WrittenPlace | undefined {
  const own = readLine(before);
  const column = own.blank ? before.length : own.column;
  const continued = own.dashes.length === 0 ? continuedValue(lines, column, before) : undefined;
  if (continued !== undefined) return continued;
  const frame = frameOf(lines, own.dashes, column);
  if (frame === undefined) return undefined;
  const inFlow = flowBelow(own.key === undefined ? frame.path : [...frame.path, own.key], own.rest);
  if (inFlow !== undefined) return inFlow;
  const siblings = siblingsOf(lines, frame.from, { column, after });
  if (own.key === undefined) {
    // The line has no key yet: `written` is the beginning of a key, or an item of a list.
    return { map: frame.path, key: undefined, written: own.blank ? '' : own.rest, siblings, style: 'plain', isFlow: false };
  }
  if (!/:[ \t]/.test(before.slice(own.column))) return undefined;
  return { map: frame.path, key: own.key, siblings, ...scalarBegun(own.rest), isFlow: false };
}

function readLine(text: string): Line {
  const dashes: number[] = [];
  let column = /^ */.exec(text)?.[0].length ?? 0;
  for (;;) {
    const dash = /^-(?:[ \t]+|$)/.exec(text.slice(column));
    if (dash === null) break;
    dashes.push(column);
    column += dash[0].length;
  }
  const content = text.slice(column);
  const [, double, single, plain, rest] = KEY.exec(content) ?? [];
  const key = double ?? single ?? plain;
  const blank = dashes.length === 0 && (content.trim() === '' || content.startsWith('#'));
  return { blank, dashes, column, key, rest: key === undefined ? content : (rest ?? '') };
}

/**
 * Returns the position inside a value that began on an earlier line: a block scalar, a flow collection, or a multi-line scalar. Returns
 * undefined if the position is not inside such a value.
 */
function continuedValue(lines: readonly string[], column: number, before: string): WrittenPlace | undefined {
  const begin = lines.findLastIndex((text) => {
    const line = readLine(text);
    return !line.blank && line.column < column;
  });
  const head = lines[begin];
  if (head === undefined) return undefined;
  const line = readLine(head);
  const isFlow = /^[[{]/.test(line.rest);
  if ((line.key === undefined && !isFlow) || line.rest === '' || /^[#&*!]/.test(line.rest)) return undefined;
  const frame = frameOf(lines.slice(0, begin), line.dashes, line.column);
  if (frame === undefined) return undefined;
  const inside = [...lines.slice(begin + 1), before];
  if (isFlow || line.key === undefined)
    return flowBelow(line.key === undefined ? frame.path : [...frame.path, line.key], [line.rest, ...inside].join('\n'));
  const place = { map: frame.path, key: line.key, siblings: new Set<string>(), isFlow: false };
  if (BLOCK_HEADER.test(line.rest)) {
    const indent = Math.min(...inside.filter((text) => text.trim() !== '').map((text) => text.length - text.trimStart().length));
    return { ...place, written: inside.map((text) => text.slice(indent)).join('\n'), style: 'block' };
  }
  const begun = scalarBegun([line.rest, ...inside.map((text) => text.trimStart())].join(' '));
  return isClosed(line.rest) ? undefined : { ...place, ...begun };
}

/** Returns the position inside a flow map or list that is the value at `path`. Returns undefined if no flow map is open. */
function flowBelow(path: KeyPath, text: string): WrittenPlace | undefined {
  const place = /^[[{]/.test(text) ? flowPlace(text) : undefined;
  return place && { ...place, map: [...path, ...place.map], isFlow: true };
}

const isClosed = (text: string): boolean => /^"(?:[^"\\]|\\.)*"\s*(?:#.*)?$/.test(text) || /^'(?:[^']|'')*'\s*(?:#.*)?$/.test(text);

/** Returns the value and style of an incomplete scalar. */
function scalarBegun(text: string): Pick<WrittenPlace, 'written' | 'style'> {
  if (text.startsWith('"')) return { written: unescaped(text.slice(1)), style: 'double' };
  if (text.startsWith("'")) return { written: text.slice(1).replaceAll("''", "'"), style: 'single' };
  return { written: text, style: 'plain' };
}

function unescaped(text: string): string {
  return text.replace(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))/g, (_, two?: string, four?: string, one?: string) => {
    const code = two ?? four;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return one === 'n' ? '\n' : one === 't' ? '\t' : (one ?? '');
  });
}

interface Frame {
  readonly path: KeyPath;
  /** Index, from 0, of the map's first line: the line with the dash of its list entry, or the line after the map's key. */
  readonly from: number;
}

/**
 * Returns the map that contains a position in the column `ownColumn`, determined from the lines above the position. `ownDashes` has the
 * columns of the list dashes in the line of the position. Returns undefined if the indentation of these lines is invalid.
 */
function frameOf(lines: readonly string[], ownDashes: readonly number[], ownColumn: number): Frame | undefined {
  const path: (string | number)[] = [];
  let column = ownColumn;
  let from: number | undefined;
  let counting: { readonly at: number; count: number } | undefined;
  const climb = (dashes: readonly number[]): void => {
    for (const dash of dashes.toReversed()) {
      path.unshift(0);
      counting = { at: dash, count: 0 };
      column = dash;
    }
  };
  if (ownDashes.length > 0) {
    climb(ownDashes);
    from = lines.length;
  }
  for (let i = lines.length - 1; i >= 0; i--) {
    const line = readLine(lines[i] as string);
    if (line.blank) continue;
    if (counting !== undefined) {
      if (line.dashes[0] === counting.at) {
        counting.count++;
        continue;
      }
      const start = line.dashes[0] ?? line.column;
      if (line.column > counting.at || (line.column === counting.at && line.dashes.length > 0) || line.key === undefined) {
        if (!(start < counting.at && line.key !== undefined && line.column <= counting.at)) continue;
      }
      path[0] = counting.count;
      counting = undefined;
    } else if (line.column === column && line.dashes.length > 0) {
      from ??= i;
      climb(line.dashes);
      continue;
    } else if (line.column >= column || line.key === undefined) continue;
    path.unshift(line.key);
    from ??= i + 1;
    column = line.column;
    climb(line.dashes);
  }
  if (counting !== undefined) path[0] = counting.count;
  return column === 0 || path[0] !== undefined ? { path, from: from ?? 0 } : undefined;
}

function siblingsOf(
  lines: readonly string[],
  from: number,
  { column, after }: { readonly column: number; readonly after: readonly string[] },
): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const text of lines.slice(from)) {
    const line = readLine(text);
    if (line.column === column && line.key !== undefined) keys.add(line.key);
  }
  for (const text of after) {
    const line = readLine(text);
    if (line.blank) continue;
    if (line.column < column || line.dashes.length > 0) break;
    if (line.column === column && line.key !== undefined) keys.add(line.key);
  }
  return keys;
}
