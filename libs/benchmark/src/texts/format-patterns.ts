/** A string format, described by patterns in RE2 syntax. */
export interface FormatPatterns {
  /** Pattern of texts in their usual form, without the additional zeros, fractions or blanks of `padded`. */
  readonly usual: string;
  /** Pattern of texts that are longer than usual because of leading zeros, fractions or blanks. The API server accepts them. */
  readonly padded?: string;
}

const DATE = '(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])';
const TIME = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]';
const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9][0-9]|[0-9])';
const IPV4 = `${OCTET}(?:\\.${OCTET}){3}`;
const GROUP = '[0-9a-f]{1,4}';
const IPV6 = `(?:::|::${GROUP}|${GROUP}::(?:${GROUP}:){0,5}${GROUP}|(?:${GROUP}:){7}${GROUP})`;
const BITS4 = '(?:3[0-2]|[12][0-9]|[0-9])';
const BITS6 = '(?:12[0-8]|1[01][0-9]|[1-9][0-9]|[0-9])';
const HEX = '[0-9a-f]';
/**
 * Pattern of a MAC address with 6, 8 or 20 octets that are separated by colons. `QUADS` is the pattern of a MAC address in which a point
 * separates each pair of octets.
 */
const PAIRS = `${HEX}{2}(?:(?::${HEX}{2}){5}|(?::${HEX}{2}){7}|(?::${HEX}{2}){19})`;
const QUADS = `${HEX}{4}(?:(?:\\.${HEX}{4}){2,3}|(?:\\.${HEX}{4}){9})`;
const LABEL = '[a-z0-9]';

/** Returns the patterns of a universally unique identifier. `third` and `fourth` are the patterns of its third and fourth part. */
const uuid = (third: string, fourth: string): FormatPatterns => ({ usual: `^${HEX}{8}-?${HEX}{4}-?${third}-?${fourth}-?${HEX}{12}$` });

/** Returns the pattern of the three channels of a color. `blanks` is the pattern of the characters before and after each channel. */
const channels = (blanks: string): string => `${blanks}${OCTET}${blanks}(?:,${blanks}${OCTET}${blanks}){2}`;

/**
 * Patterns of the string formats that have no check digit. Each key is the name of a format without its dashes. Each pattern matches only
 * some of the texts that the API server accepts. Source: kube-openapi pkg/validation/strfmt.
 */
export const FORMAT_PATTERNS: ReadonlyMap<string, FormatPatterns> = new Map<string, FormatPatterns>([
  ['date', { usual: `^${DATE}$` }],
  ['datetime', { usual: `^${DATE}T${TIME}(?:\\.[0-9]{1,9})?Z$`, padded: `^${DATE}T${TIME}\\.[0-9]{10,}Z$` }],
  ['duration', { usual: '^[1-9][0-9]{0,4}(?:ms|[hms])$', padded: '^0+[0-9]{5}(?:ms|[hms])$' }],
  ['uri', { usual: '^(?:https://[a-z0-9]{1,30}/[a-z0-9]*|/[a-z0-9]*)$' }],
  ['email', { usual: '^[a-z0-9]+@[a-z0-9]{1,30}$' }],
  // Three labels and a top-level domain have 255 bytes, which is the maximum.
  ['hostname', { usual: `^(?:${LABEL}{1,63}|(?:${LABEL}{1,63}\\.){1,3}[a-z]{2,63})$` }],
  ['ipv4', { usual: `^${IPV4}$`, padded: `^0*${IPV4}$` }],
  ['ipv6', { usual: `^(?:${IPV6}|(?:${GROUP}:){6}${IPV4})$` }],
  ['cidr', { usual: `^(?:${IPV4}/${BITS4}|${IPV6}/${BITS6})$`, padded: `^0*(?:${GROUP}:){7}${GROUP}/${BITS6}$` }],
  ['mac', { usual: `^(?:${PAIRS}|${QUADS})$` }],
  ['uuid', uuid(`${HEX}{4}`, `${HEX}{4}`)],
  ['uuid3', uuid(`3${HEX}{3}`, `${HEX}{4}`)],
  ['uuid4', uuid(`4${HEX}{3}`, `[89ab]${HEX}{3}`)],
  ['uuid5', uuid(`5${HEX}{3}`, `[89ab]${HEX}{3}`)],
  ['byte', { usual: '^(?:[A-Za-z0-9+/]{4})+$' }],
  ['bsonobjectid', { usual: `^${HEX}{24}$` }],
  ['hexcolor', { usual: `^#?(?:${HEX}{3}|${HEX}{6})$` }],
  ['rgbcolor', { usual: `^rgb\\(${channels(' ?')}\\)$`, padded: `^rgb\\(${channels(' *')}\\)$` }],
  ['ssn', { usual: '^[0-9]{3}-[0-9]{2}-[0-9]{4}$' }],
  ['k8sshortname', { usual: `^${LABEL}{1,63}$` }],
  ['k8slongname', { usual: `^${LABEL}{1,253}$` }],
]);
