import { significantDigits } from './text/number-text.ts';
import { goQuote } from './text/quote.ts';
import { compareBytes } from './sort.ts';

/** Semantic version. Numeric identifiers of its pre-release are bigints. */
export interface Semver {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly preRelease: readonly (bigint | string)[];
  readonly build: readonly string[];
}

/** Result of parsing a version: the version, or the error text of github.com/blang/semver/v4. */
export type SemverResult = { readonly ok: true; readonly version: Semver } | { readonly ok: false; readonly error: string };

const MAX_UINT64 = 2n ** 64n - 1n;
/** Number of digits of the largest uint64. */
const UINT64_DIGITS = 20;
const NUMBERS = /^\d*$/;
const ALPHANUMERIC = /^[A-Za-z0-9-]*$/;

class Refusal {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/**
 * Returns the value of a decimal uint64 without leading zeros, or a refusal. `invalid` is the beginning of the error text for a text that
 * contains other characters than digits. `leadingZeros` is the beginning of the error text for leading zeros.
 */
function readNumber(text: string, invalid: string, leadingZeros: string): bigint | Refusal {
  if (!NUMBERS.test(text)) return new Refusal(`${invalid} ${goQuote(text)}`);
  if (text.length > 1 && text.startsWith('0')) return new Refusal(`${leadingZeros} ${goQuote(text)}`);
  if (text === '') return new Refusal('strconv.ParseUint: parsing "": invalid syntax');
  const value = text.length > UINT64_DIGITS ? undefined : BigInt(text);
  return value === undefined || value > MAX_UINT64 ? new Refusal(`strconv.ParseUint: parsing ${goQuote(text)}: value out of range`) : value;
}

function readPart(text: string, name: 'major' | 'minor' | 'patch'): bigint | Refusal {
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return readNumber(text, `Invalid character(s) found in ${name} number`, `${title} number must not contain leading zeroes`);
}

function readIdentifier(text: string): bigint | string | Refusal {
  if (text === '') return new Refusal('Prerelease is empty');
  if (NUMBERS.test(text)) return readNumber(text, '', 'Numeric PreRelease version must not contain leading zeroes');
  return ALPHANUMERIC.test(text) ? text : new Refusal(`Invalid character(s) found in prerelease ${goQuote(text)}`);
}

/** Splits a text at the first separator. Returns the text before the separator, and the dot-separated identifiers after it. */
function cut(text: string, separator: string): readonly [rest: string, identifiers: readonly string[]] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, []] : [text.slice(0, at), text.slice(at + 1).split('.')];
}

/** Parses a strict semantic version. Source: github.com/blang/semver/v4 `Parse`. */
export function parseSemver(text: string): SemverResult {
  const version = readVersion(text);
  return version instanceof Refusal ? { ok: false, error: version.message } : { ok: true, version };
}

function readVersion(text: string): Semver | Refusal {
  if (text === '') return new Refusal('Version string empty');
  const match = /^([^.]*)\.([^.]*)\.([^]*)$/.exec(text);
  if (match === null) return new Refusal('No Major.Minor.Patch elements found');
  const major = readPart(match[1] as string, 'major');
  if (major instanceof Refusal) return major;
  const minor = readPart(match[2] as string, 'minor');
  if (minor instanceof Refusal) return minor;
  const [withoutBuild, build] = cut(match[3] as string, '+');
  const [patchText, identifiers] = cut(withoutBuild, '-');
  const patch = readPart(patchText, 'patch');
  if (patch instanceof Refusal) return patch;
  const preRelease: (bigint | string)[] = [];
  for (const identifier of identifiers) {
    const read = readIdentifier(identifier);
    if (read instanceof Refusal) return read;
    preRelease.push(read);
  }
  for (const part of build) {
    if (part === '') return new Refusal('Build meta data is empty');
    if (!ALPHANUMERIC.test(part)) return new Refusal(`Invalid character(s) found in build meta data ${goQuote(part)}`);
  }
  return { major, minor, patch, preRelease, build };
}

/**
 * Parses a version leniently. It removes one leading `v` and leading zeros, and sets missing parts to zero. Source:
 * k8s.io/apiserver/pkg/cel/library/semverlib.go `normalizeAndParse` (1.37).
 */
export function parseLooseSemver(text: string): SemverResult {
  const match = /^([^.]*)(?:\.([^.]*)(?:\.([^]*))?)?$/.exec(text.startsWith('v') ? text.slice(1) : text) as RegExpExecArray;
  const parts = match
    .slice(1)
    .filter((part) => part !== undefined)
    .map(withoutLeadingZeros);
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) as string))
    return { ok: false, error: 'short version cannot contain PreRelease/Build meta data' };
  while (parts.length < 3) parts.push('0');
  return parseSemver(parts.join('.'));
}

function withoutLeadingZeros(part: string): string {
  // Go tests the length in bytes, so a single character of several bytes also counts as long.
  if (part.length < 2 && !/[^\0-\x7f]/.test(part)) return part;
  const rest = significantDigits(part);
  return /^\d/.test(rest) ? rest : `0${rest}`;
}

/** Compares two versions. Build metadata is ignored. */
export function compareSemvers(a: Semver, b: Semver): -1 | 0 | 1 {
  for (const part of ['major', 'minor', 'patch'] as const) {
    if (a[part] !== b[part]) return a[part] < b[part] ? -1 : 1;
  }
  if (a.preRelease.length === 0 || b.preRelease.length === 0) {
    return a.preRelease.length === b.preRelease.length ? 0 : a.preRelease.length === 0 ? 1 : -1;
  }
  for (const [index, identifier] of a.preRelease.entries()) {
    const other = b.preRelease[index];
    if (other === undefined) return 1;
    const order = compareIdentifiers(identifier, other);
    if (order !== 0) return order;
  }
  return a.preRelease.length === b.preRelease.length ? 0 : -1;
}

/** Compares two identifiers of a pre-release. Numbers precede words. */
function compareIdentifiers(a: bigint | string, b: bigint | string): -1 | 0 | 1 {
  if (typeof a === 'bigint') return typeof b === 'bigint' ? (a === b ? 0 : a < b ? -1 : 1) : -1;
  return typeof b === 'bigint' ? 1 : (Math.sign(compareBytes(a, b)) as -1 | 0 | 1);
}

/** Returns a version in the form `major.minor.patch-preRelease+build`. */
export function formatSemver({ major, minor, patch, preRelease, build }: Semver): string {
  const pre = preRelease.length === 0 ? '' : `-${preRelease.join('.')}`;
  return `${major}.${minor}.${patch}${pre}${build.length === 0 ? '' : `+${build.join('.')}`}`;
}
