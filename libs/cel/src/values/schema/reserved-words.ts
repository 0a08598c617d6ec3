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
