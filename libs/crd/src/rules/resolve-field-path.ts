import { childPath, keyPath } from '#kube';
import type { FieldPath } from '#kube';
import { EMPTY_STRUCTURAL } from '../structural/from-schema.ts';
import type { Structural } from '../structural/structural.ts';

/** Result of resolving a field path: its printed form and the schema that the path refers to, or the reason why the path is invalid. */
export type FieldPathResult =
  | { readonly ok: true; readonly path: FieldPath | undefined; readonly schema: Structural }
  | { readonly ok: false; readonly error: string };

/** Splits a path into names, quoted names and the delimiters `.`, `[`, `]`. */
function tokens(text: string): string[] {
  const found: string[] = [];
  let at = 0;
  while (at < text.length) {
    let end = at + 1;
    if (text[at] === "'") {
      while (end < text.length && !(text[end] === "'" && text[end - 1] !== '\\')) end += 1;
      end = Math.min(end + 1, text.length);
    } else if (!'.[]'.includes(text[at] as string)) {
      while (end < text.length && !'.[]'.includes(text[end] as string)) end += 1;
    }
    found.push(text.slice(at, end));
    at = end;
  }
  return found;
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

function unescapeQuoted(text: string): string | { readonly error: string } {
  let bad: string | undefined;
  const plain = text.replace(/\\./g, (escape) => {
    const character = ESCAPES[escape.charAt(1)];
    if (character === undefined) bad = escape;
    return character ?? '';
  });
  return bad === undefined ? plain : { error: `invalid string literal: invalid escape char ${bad}` };
}

const NO_FIELD = 'does not refer to a valid field';

/**
 * Resolves a rule's `fieldPath` (`.spec.x['y']`) in the schema of the node that has the rule. Source: apiextensions-apiserver
 * pkg/apiserver/schema/cel/validation.go `ValidFieldPath` (1.37).
 *
 * @param notation `dotsAndBrackets` if the notation `['name']` is also allowed
 */
export function resolveFieldPath(text: string, schema: Structural, notation: 'dots' | 'dotsAndBrackets'): FieldPathResult {
  const fail = (error: string): FieldPathResult => ({ ok: false, error });
  let path: FieldPath | undefined;
  let node = schema;
  /** Moves to the property `name` of the current node, or to its map values. Returns false if the schema declares neither. */
  const enter = (name: string): boolean => {
    if (node.properties !== undefined) {
      const property = node.properties.get(name);
      if (property === undefined) return false;
      path = childPath(path, name);
      node = property;
      return true;
    }
    if (node.additionalPropertiesAllowed === undefined) return false;
    path = keyPath(path, name);
    // If additionalProperties is a bool, the schema of each value is empty, even for `false`.
    node = node.additionalProperties ?? EMPTY_STRUCTURAL;
    return true;
  };
  const parts = tokens(text);
  for (let i = 0; i < parts.length; i++) {
    const token = parts[i] as string;
    if (token === '.') {
      const name = parts[++i];
      if (name === undefined) return fail('unexpected end of JSON path');
      if (!enter(name)) return fail(NO_FIELD);
    } else if (token === '[') {
      if (notation === 'dots') return fail('array notation is not allowed');
      const quoted = parts[++i];
      if (quoted === undefined) return fail('unexpected end of JSON path');
      if (quoted.length < 2 || !quoted.startsWith("'") || !quoted.endsWith("'"))
        return fail(`expected single quoted string but got ${quoted}`);
      const name = unescapeQuoted(quoted.slice(1, -1));
      if (typeof name !== 'string') return fail(name.error);
      if (!enter(name)) return fail(NO_FIELD);
      const close = parts[++i];
      if (close === undefined) return fail('unexpected end of JSON path');
      if (close !== ']') return fail(`expected ] but got ${close}`);
    } else {
      return fail(`expected [ or . but got: ${token}`);
    }
  }
  return { ok: true, path, schema: node };
}
