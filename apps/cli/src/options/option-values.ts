import { InvalidArgumentError } from 'commander';
import { parse } from 'yaml';
import { LATEST_MINOR, minorRange, MINORS, readFeatureGates } from '#kube';
import type { Minor } from '#kube';
import { ADVICE_IDS, durationMs } from '#documents';
import type { UnwantedAdvice } from '../evaluation/place-findings.ts';
import { FileAccess } from '../files/file-access.ts';
import { FILE_LIMITS } from '../files/file-problem.ts';

// The functions below parse values of options. Each throws `InvalidArgumentError` with a sentence for the user.

const FIELD_VALIDATIONS = ['Strict', 'Warn', 'Ignore'] as const;

/**
 * Parses a Kubernetes version and returns its minor version. Accepts short forms and the forms that `kubectl version` prints: `1.33`,
 * `v1.33`, `1.33.2`, `v1.33.2-gke.100`.
 */
export function minorOf(text: string): Minor {
  const named = /^v?(1\.\d+)(?:\+|\.\d+(?:[-+].*)?)?$/.exec(text.trim())?.[1];
  const minor = MINORS.find((one) => one === named);
  if (minor === undefined)
    throw new InvalidArgumentError(`must be a version of Kubernetes from ${minorRange('to')}, such as ${LATEST_MINOR} or v1.33.2.`);
  return minor;
}

/** Parses a port number; 0 means any free port. */
export function portOf(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new InvalidArgumentError('must be a number from 0 to 65535.');
  return port;
}

/** Parses a fraction of a cost limit, above 0 and at most 1. Throws if the text is no such number. */
export function shareOf(text: string): number {
  const share = Number(text);
  if (!(share > 0 && share <= 1)) throw new InvalidArgumentError('must be above 0 and at most 1, such as 0.8.');
  return share;
}

/** Parses a list of minor versions and of ranges such as `1.30-1.33`, separated by commas. `all` means all supported minor versions. */
export function minorsOf(text: string): readonly Minor[] {
  return text.trim() === 'all' ? MINORS : text.split(',').flatMap(minorsOfRange);
}

/** Parses a minor version, or a range of them with a hyphen or a dash, from the older one to the newer one. */
function minorsOfRange(text: string): readonly Minor[] {
  const [, first, last] = /^\s*(v?1\.\d+)\s*[-–]\s*(v?1\.\d+)\s*$/.exec(text) ?? [];
  if (first === undefined || last === undefined) return [minorOf(text)];
  const [from, to] = [MINORS.indexOf(minorOf(first)), MINORS.indexOf(minorOf(last))];
  if (from > to) throw new InvalidArgumentError(`${text.trim()}: the older version comes first.`);
  return MINORS.slice(from, to + 1);
}

/** Parses the word Strict, Warn or Ignore, in any letter case. */
export function fieldValidationOf(text: string): (typeof FIELD_VALIDATIONS)[number] {
  const word = FIELD_VALIDATIONS.find((one) => one.toLowerCase() === text.toLowerCase());
  if (word === undefined) throw new InvalidArgumentError(`must be one of ${FIELD_VALIDATIONS.join(', ')}.`);
  return word;
}

/** Parses a whole number of 1 or more. */
export function countOf(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw new InvalidArgumentError('must be a number from 1.');
  return count;
}

/** Parses a duration such as `500ms`, `30s` or `2m` and returns it in milliseconds. */
export function durationOf(text: string): number {
  const duration = durationMs(text.trim());
  // A timer with a longer time would fire at once.
  if (duration === undefined || duration < 1 || duration > 0x7fff_ffff)
    throw new InvalidArgumentError('must be a duration of at most 596h, such as 500ms, 30s or 2m.');
  return duration;
}

/** Parses the address of a service. */
export function addressOf(text: string): URL {
  if (!/^https?:/.test(text) || !URL.canParse(text)) throw new InvalidArgumentError('must be an address such as http://127.0.0.1:8080.');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new InvalidArgumentError('must be an address without a user, a query and a fragment.');
  return url;
}

/** Returns the address of a service as text, without a trailing slash. */
export const addressText = ({ origin, pathname }: URL): string => `${origin}${pathname.replace(/\/+$/, '')}`;

/** Parses feature gates, given as `A=true,B=false`. */
export function gatesOf(text: string): Record<string, boolean> {
  const read = readFeatureGates(text);
  if (!read.ok) throw new InvalidArgumentError(read.error);
  return read.gates;
}

/**
 * Reads the YAML file of the option `--authorizer`. Its entries decide the authorizer checks that policies make in CEL. Throws
 * `InvalidArgumentError` if the file cannot be read or parsed.
 */
export function rulesOf(file: string): unknown {
  const text = new FileAccess().readAnyNow(file, FILE_LIMITS.source);
  if (!text.ok) throw new InvalidArgumentError(`${file}: ${text.problem}`);
  try {
    return parse(text.content.toString('utf8'), { logLevel: 'error' });
  } catch (error) {
    throw new InvalidArgumentError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * Parses the kinds of advice that the user does not want: a list, separated by commas, or `all`. Throws `InvalidArgumentError` for an
 * unknown kind.
 */
export function unwantedAdviceOf(text: string): UnwantedAdvice {
  return text.trim() === 'all' ? 'all' : parserOfWords(ADVICE_IDS)(text);
}

/** Returns a parser of a list of words, separated by commas. It throws `InvalidArgumentError` for a word that `known` lacks. */
export function parserOfWords<Word extends string>(known: readonly Word[]): (text: string) => readonly Word[] {
  return (text) => {
    const words = text.split(',').map((word) => word.trim());
    const unknown = words.filter((word) => !(known as readonly string[]).includes(word));
    if (unknown.length > 0) throw new InvalidArgumentError(`${unknown.join(', ')}: must be among ${known.join(', ')}.`);
    return words as Word[];
  };
}
