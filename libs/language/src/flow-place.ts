import type { ValuePath } from '#source';

/** What is being written at the end of a text in flow style, or JSON, which may break off anywhere. */
export interface FlowPlace {
  /** The map that is written in, from where the text begins. */
  readonly map: ValuePath;
  /** Of a value, its key; undefined where a key is written. */
  readonly key: string | undefined;
  /** What is written of the key or the value, as it is read. */
  readonly written: string;
  /** Keys that the map has in front of the place. */
  readonly siblings: ReadonlySet<string>;
  /** How what is written is quoted. */
  readonly style: 'plain' | 'single' | 'double';
}

/** A map or list that is open. */
interface Frame {
  readonly kind: 'map' | 'list';
  readonly keys: Set<string>;
  /** Of a map, the key whose value is written. */
  key: string | undefined;
  /** Of a list, how many items are behind. */
  index: number;
}

/** A scalar that may be begun only. */
interface Scalar {
  readonly text: string;
  readonly style: FlowPlace['style'];
  readonly isOpen: boolean;
}

/** The place at the end of a text that begins with a bracket; undefined where all that was opened is closed, or an item of a list is written that is no map. */
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

/** Reads a scalar from its first character on; a plain one that the text ends with is still open. */
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

/** Text between double quotes as it is read, as far as it is written. */
function unescaped(text: string): string {
  for (let length = text.length; length >= 0; length--) {
    try {
      return JSON.parse(`"${text.slice(0, length)}"`) as string;
    } catch {
      // An escape is half written: what is in front of it is not.
      if (text.length - length > 6) return text;
    }
  }
  return '';
}
