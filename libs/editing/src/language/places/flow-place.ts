import type { KeyPath } from '../../texts/edit-entry.ts';

/** Position at the end of an incomplete text in YAML flow style or JSON, described by the map and key that contain it. */
export interface FlowPlace {
  /** Path of the innermost open map, relative to the value at the beginning of the text. */
  readonly map: KeyPath;
  /** Key of the value at the position. Undefined if the position is in a key. */
  readonly key: string | undefined;
  /** Incomplete text of the key or value before the position. */
  readonly written: string;
  /** Keys that the map has before the position. */
  readonly siblings: ReadonlySet<string>;
  /** Kind of quotes around the incomplete text. */
  readonly style: 'plain' | 'single' | 'double';
}

/** Map or list that has no closing bracket yet. */
interface Frame {
  readonly kind: 'map' | 'list';
  readonly keys: Set<string>;
  /** Key of the map entry whose value is incomplete. */
  key: string | undefined;
  /** Number of list items before the current item. */
  index: number;
}

/** Scalar that may be incomplete. */
interface Scalar {
  readonly text: string;
  readonly style: FlowPlace['style'];
  readonly isOpen: boolean;
}

/**
 * Returns the position at the end of an incomplete text in YAML flow style or JSON. The position is the innermost open map, and the key
 * whose value is incomplete. The text must begin with a bracket. Returns undefined if all brackets are closed, or if the innermost open
 * bracket begins a list.
 */
export function flowPlace(text: string): FlowPlace | undefined {
  const frames: Frame[] = [];
  let scalar: Scalar | undefined;
  for (let at = 0; at < text.length;) {
    const character = text[at] as string;
    const frame = frames.at(-1);
    if (character === '{' || character === '[') {
      frames.push({ kind: character === '{' ? 'map' : 'list', keys: new Set(), key: undefined, index: 0 });
      scalar = undefined;
    } else if (character === '}' || character === ']') {
      frames.pop();
      scalar = undefined;
    } else if (character === ',') {
      if (frame !== undefined) {
        frame.key = undefined;
        frame.index++;
      }
      scalar = undefined;
    } else if (character === ':' && frame?.kind === 'map' && frame.key === undefined && scalar !== undefined) {
      frame.key = scalar.text;
      frame.keys.add(scalar.text);
      scalar = undefined;
    } else if (!/\s/.test(character)) {
      const read = readScalar(text, at);
      scalar = read.scalar;
      at = read.end;
      continue;
    }
    at += 1;
  }
  return placeIn(frames, scalar);
}

function placeIn(frames: readonly Frame[], scalar: Scalar | undefined): FlowPlace | undefined {
  const frame = frames.at(-1);
  if (frame?.kind !== 'map' || (scalar !== undefined && !scalar.isOpen)) return undefined;
  const map = frames.slice(0, -1).map((outer) => (outer.kind === 'list' ? outer.index : (outer.key ?? '')));
  const siblings = new Set(frame.keys);
  const { text = '', style = 'plain' } = scalar ?? {};
  return { map, key: frame.key, written: text, siblings, style };
}

/** Reads a scalar that begins at `start`. A plain scalar that extends to the end of the text counts as incomplete. */
function readScalar(text: string, start: number): { readonly scalar: Scalar; readonly end: number } {
  const quote = text[start];
  if (quote === '"') {
    const [whole = ''] = /^"(?:[^"\\]|\\[\s\S])*"?/.exec(text.slice(start)) ?? [];
    const isOpen = whole.length === 1 || !whole.endsWith('"') || /(?:^|[^\\])(?:\\\\)*\\"$/.test(whole);
    const inside = isOpen ? whole.slice(1) : whole.slice(1, -1);
    return { scalar: { text: unescaped(inside), style: 'double', isOpen }, end: start + whole.length };
  }
  if (quote === "'") {
    const [whole = ''] = /^'(?:[^']|'')*'?/.exec(text.slice(start)) ?? [];
    const isOpen = whole.length === 1 || !whole.endsWith("'");
    return {
      scalar: { text: whole.slice(1, isOpen ? undefined : -1).replaceAll("''", "'"), style: 'single', isOpen },
      end: start + whole.length,
    };
  }
  const [whole = ''] = /^(?:[^,:{}[\]\n]|:(?=\S))+/.exec(text.slice(start)) ?? [];
  const length = Math.max(1, whole.length);
  return { scalar: { text: whole.trimEnd(), style: 'plain', isOpen: start + length >= text.length }, end: start + length };
}

/** Returns the value of the text of a double-quoted scalar. The text may end in the middle of an escape sequence. */
function unescaped(text: string): string {
  for (let length = text.length; length >= 0; length--) {
    try {
      return JSON.parse(`"${text.slice(0, length)}"`) as string;
    } catch {
      // The text may end in an incomplete escape, so the loop tries shorter texts.
      if (text.length - length > 6) return text;
    }
  }
  return '';
}
