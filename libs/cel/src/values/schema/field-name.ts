// Source: k8s.io/apiserver/pkg/cel/escaping.go (1.37). The CEL grammar defines the reserved words.
const ESCAPES: Readonly<Record<string, string>> = { __: '__underscores__', '.': '__dot__', '-': '__dash__', '/': '__slash__' };
const UNESCAPES: Readonly<Record<string, string>> = { underscores: '__', dot: '.', dash: '-', slash: '/' };

/** Returns the CEL field name of a property, or undefined if CEL cannot access a property with this name. */
export function escapeFieldName(name: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  if (RESERVED_WORDS.has(name)) return `__${name}__`;
  return name.replace(/__|[-./]/g, (part) => ESCAPES[part] as string);
}

/** Returns the property name of a CEL field name, or undefined if the field name contains an invalid escape sequence. */
export function unescapeFieldName(field: string): string | undefined {
  if (!field.includes('__')) return field;
  let valid = true;
  const name = field.replace(/__[^_]+__/g, (sequence) => {
    const contents = sequence.slice(2, -2);
    const plain = Object.hasOwn(UNESCAPES, contents) ? UNESCAPES[contents] : undefined;
    if (plain !== undefined) return plain;
    if (!RESERVED_WORDS.has(contents) || sequence.length !== field.length) valid = false;
    return contents;
  });
  return valid ? name : undefined;
}

/**
 * Reserved words: the lexer accepts them as identifiers, but they cannot name a variable. Source: cel-go parser/parser.go `reservedIds`
 * (v0.29.2).
 */
export const RESERVED_WORDS: ReadonlySet<string> = new Set([
  'as',
  'break',
  'const',
  'continue',
  'else',
  'false',
  'for',
  'function',
  'if',
  'import',
  'in',
  'let',
  'loop',
  'package',
  'namespace',
  'null',
  'return',
  'true',
  'var',
  'void',
  'while',
]);
