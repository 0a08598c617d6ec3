/** A YAML scalar as go-yaml resolves it. Integers are exact; floats stay floats even when whole. */
export type YamlScalar =
  | { readonly kind: 'null' }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'int'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string };

const NULL: YamlScalar = { kind: 'null' };
const TRUE: YamlScalar = { kind: 'bool', value: true };
const FALSE: YamlScalar = { kind: 'bool', value: false };

/** Words of YAML 1.1 that are no strings. Source: go.yaml.in/yaml/v2 resolve.go. */
const WORDS: ReadonlyMap<string, YamlScalar> = new Map<string, YamlScalar>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, TRUE] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, FALSE] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, NULL] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, { kind: 'float', value: NaN }] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => [word, { kind: 'float', value: Infinity }] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, { kind: 'float', value: -Infinity }] as const),
]);

const FIRST_OF_WORD = 'yYnNtTfFoO~';
const STYLE_FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
/** What Go's ParseFloat takes beginning with a point (hexadecimal floats cannot). Underscores count only with a base prefix, so never. */
const POINT_FLOAT = /^\.[0-9]+([eE][-+]?[0-9]+)?$/;
const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]([0-7]+)|0([0-7]+)|(0|[1-9][0-9]*))$/;
/** Dates and times stay strings, but they are recognised before numbers (2001_1 is none). */
const TIMESTAMP = /^\d{4}-\d{1,2}-\d{1,2}(?:$|[Tt ])/;

const MIN_INT64 = -(2n ** 63n);
const MAX_UINT64 = 2n ** 64n - 1n;

/** Go's ParseInt(text, 0, 64), falling back to ParseUint. */
function parseInteger(text: string): bigint | undefined {
  const match = INTEGER.exec(text);
  if (match === null) return undefined;
  const [, sign, hexadecimal, binary, octal, oldOctal, decimal] = match;
  const digits =
    hexadecimal !== undefined
      ? `0x${hexadecimal}`
      : binary !== undefined
        ? `0b${binary}`
        : (octal ?? oldOctal) !== undefined
          ? `0o${(octal ?? oldOctal) as string}`
          : (decimal as string);
  const magnitude = BigInt(digits);
  const value = sign === '-' ? -magnitude : magnitude;
  const limit = sign === '' ? MAX_UINT64 : 2n ** 63n - 1n;
  return value >= MIN_INT64 && value <= limit ? value : undefined;
}

/** A plain scalar without a tag. Source: go.yaml.in/yaml/v2 resolve.go `resolve`. */
export function resolvePlain(text: string): YamlScalar {
  const first = text.charAt(0);
  const digit = first >= '0' && first <= '9';
  const sign = first === '+' || first === '-';
  if (text !== '' && !digit && !sign && first !== '.' && !FIRST_OF_WORD.includes(first)) return { kind: 'string', value: text };
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (first === '.') return POINT_FLOAT.test(text) ? { kind: 'float', value: Number(text) } : { kind: 'string', value: text };
  if (!digit && !sign) return { kind: 'string', value: text };
  if (TIMESTAMP.test(text)) return { kind: 'string', value: text };
  const plain = text.replaceAll('_', '');
  const integer = parseInteger(plain);
  if (integer !== undefined) return { kind: 'int', value: integer };
  if (STYLE_FLOAT.test(plain) && Number.isFinite(Number(plain))) return { kind: 'float', value: Number(plain) };
  return { kind: 'string', value: text };
}

const PREFIX = 'tag:yaml.org,2002:';
const KIND_OF_TAG: ReadonlyMap<string, YamlScalar['kind']> = new Map([
  ['null', 'null'],
  ['bool', 'bool'],
  ['int', 'int'],
  ['float', 'float'],
]);

/** A scalar with an explicit tag (`!!int`, `!x`); the text of an error when it does not fit. */
export function resolveTagged(tag: string, text: string): YamlScalar | { readonly kind: 'error'; readonly error: string } {
  const short = tag.startsWith('!!') ? tag.slice(2) : tag.startsWith(PREFIX) ? tag.slice(PREFIX.length) : undefined;
  if (short === 'binary') {
    if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(text)) return { kind: 'error', error: '!!binary value contains invalid base64 data' };
    return { kind: 'string', value: Buffer.from(text, 'base64').toString('utf8') };
  }
  const wanted = short === undefined ? undefined : KIND_OF_TAG.get(short);
  if (wanted === undefined) return { kind: 'string', value: text };
  const found = resolvePlain(text);
  if (found.kind === wanted) return found;
  if (wanted === 'float' && found.kind === 'int') return { kind: 'float', value: Number(found.value) };
  const name = found.kind === 'string' ? 'str' : found.kind;
  return { kind: 'error', error: `cannot decode !!${name} \`${text}\` as a !!${short as string}` };
}
