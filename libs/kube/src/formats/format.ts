import { parseRequestUri, utf8Length } from '#go';
import type { Change } from '../change.ts';
import { isDate, isDateTime, isDuration } from './dates.ts';
import { isEmail } from './email.ts';
import { isCidrFormat, isIPv4Format, isIPv6Format, isMacFormat } from './network.ts';
import { isCreditCard, isIsbn, isIsbn10, isIsbn13, isSsn } from './numbers.ts';

/** Function that returns true if a string has a certain format. */
export type FormatCheck = (text: string) => boolean;

/** Returns true if a text is a host name. The pattern is in the function, because creating it takes half a millisecond. */
function isHostname(text: string): boolean {
  const hostname =
    /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;
  return utf8Length(text) <= 255 && hostname.test(text) && text.split('.').every((part) => utf8Length(part) <= 63);
}

const matching =
  (pattern: RegExp): FormatCheck =>
  (text) =>
    pattern.test(text);

const CHANNEL = '(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])';
const SPACE = '[\\t\\n\\f\\r ]*';

/**
 * Checks of all string formats, by the name of the format without dashes. Source: kube-openapi pkg/validation/strfmt (d427ff9),
 * pkg/internal/third_party/govalidator.
 */
const CHECKS: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ['bsonobjectid', matching(/^[0-9a-fA-F]{24}$/)],
  ['uri', (text) => parseRequestUri(text).ok],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIPv4Format],
  ['ipv6', isIPv6Format],
  ['cidr', isCidrFormat],
  ['mac', isMacFormat],
  ['uuid', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid3', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid4', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['uuid5', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['isbn', isIsbn],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', isSsn],
  ['hexcolor', matching(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ['rgbcolor', matching(new RegExp(`^rgb\\(${SPACE}${[CHANNEL, CHANNEL, CHANNEL].join(`${SPACE},${SPACE}`)}${SPACE}\\)$`))],
  ['byte', matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/)],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', (text) => text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text)],
  ['k8slongname', (text) => text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text)],
]);

/** Names of all string formats, without dashes. */
export const STRING_FORMATS: readonly string[] = [...CHECKS.keys()];

/** First Kubernetes minor version that validates a format. All minor versions validate formats that are not listed. */
const SINCE: ReadonlyMap<string, number> = new Map([
  ['k8sshortname', 34],
  ['k8slongname', 34],
]);

/**
 * Returns the difference that a format is validated only from a Kubernetes version on. Returns undefined if all versions that Assay knows
 * validate it, or if none does.
 */
export function formatChange(name: string): Change | undefined {
  const since = SINCE.get(normalizeFormat(name));
  // A server supports the formats of the previous version, so the change comes one version later.
  return since === undefined
    ? undefined
    : { name, since: since + 1, sentence: `Since 1.${since + 1}, a server checks the format \`${name}\``, upstream: undefined };
}

/** Returns the normalized name of a format, without dashes, because dashes are ignored in format names. */
function normalizeFormat(name: string): string {
  return name.replaceAll('-', '');
}

/**
 * Returns the check of a string format in a Kubernetes minor version. Returns undefined if that minor version does not know the format.
 */
export function stringFormat(name: string, minor: number): FormatCheck | undefined {
  const normalized = normalizeFormat(name);
  return (SINCE.get(normalized) ?? 0) <= minor ? CHECKS.get(normalized) : undefined;
}
