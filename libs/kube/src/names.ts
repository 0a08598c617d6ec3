import { utf8Length } from '#go';

/**
 * Function that checks a name. It returns one text for each problem, and an empty list if the name is valid. Source:
 * k8s.io/apimachinery/pkg/util/validation/validation.go and pkg/api/validate/content (1.37).
 */
export type NameCheck = (value: string) => string[];

/** Returns the error text for a name that exceeds a maximum length in characters. */
function maxLengthText(length: number): string {
  return `must be no more than ${length} characters`;
}

/** Wording of errors about label keys and values, which differs between Kubernetes minor versions (see `object-meta/wording.ts`). */
export interface LabelWording {
  readonly lengthUnit: 'bytes' | 'characters';
  readonly labelKey: 'a valid label key' | 'a qualified name';
}

const LABEL_WORDING: LabelWording = { lengthUnit: 'bytes', labelKey: 'a valid label key' };

/** Returns true if another wording uses other words in a text of {@link checkQualifiedName} or {@link checkLabelValue}. */
export const dependsOnWording = (text: string, { lengthUnit, labelKey }: LabelWording): boolean =>
  text.endsWith(` ${lengthUnit}`) || text.startsWith(`${labelKey} `);

function lengthText(length: number, unit: string): string {
  return `must be no more than ${length} ${unit}`;
}

/** Returns the error text for a value that does not match a pattern. The text contains `examples` of valid values. */
function patternText(message: string, pattern: string, ...examples: readonly string[]): string {
  if (examples.length === 0) return `${message} (regex used for validation is '${pattern}')`;
  return `${message} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${pattern}')`;
}

const EMPTY = 'must be non-empty';

const LABEL_1123 = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN_1123 = `${LABEL_1123}(\\.${LABEL_1123})*`;
const LABEL_1123_UNDERSCORE = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const SUBDOMAIN_1123_UNDERSCORE = `${LABEL_1123_UNDERSCORE}(\\.${LABEL_1123_UNDERSCORE})*`;
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${QUALIFIED})?`;
const WILDCARD = `\\*\\.${SUBDOMAIN_1123}`;

const whole = (pattern: string, flags = ''): RegExp => new RegExp(`^(?:${pattern})$`, flags);
const label1123 = whole(LABEL_1123);
const subdomain1123 = whole(SUBDOMAIN_1123);
const subdomain1123Caseless = whole(SUBDOMAIN_1123, 'i');
const subdomain1123Underscore = whole(SUBDOMAIN_1123_UNDERSCORE);
const label1035 = whole(LABEL_1035);
const qualified = whole(QUALIFIED);
const labelValue = whole(LABEL_VALUE);
const wildcard = whole(WILDCARD);

const SUBDOMAIN_MESSAGE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const SUBDOMAIN_TEXT = patternText(SUBDOMAIN_MESSAGE, SUBDOMAIN_1123, 'example.com');
const SUBDOMAIN_CASELESS_TEXT = patternText(
  "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  SUBDOMAIN_1123,
  'Example.com',
);
const SUBDOMAIN_UNDERSCORE_TEXT = patternText(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  SUBDOMAIN_1123_UNDERSCORE,
  'example.com',
);
const LABEL_1123_TEXT = patternText(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  LABEL_1123,
  'my-name',
  '123-abc',
);
const LABEL_1035_TEXT = patternText(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  LABEL_1035,
  'my-name',
  'abc-123',
);
const WILDCARD_TEXT = patternText(
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  WILDCARD,
  '*.example.com',
);
const QUALIFIED_TEXT = patternText(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  QUALIFIED,
  'MyName',
  'my.name',
  '123-abc',
);
const LABEL_VALUE_TEXT = patternText(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  LABEL_VALUE,
  'MyValue',
  'my_value',
  '12345',
);

const LABEL_LENGTH = 63;
const SUBDOMAIN_LENGTH = 253;

function checkPattern(value: string, limit: number, pattern: RegExp, text: string): string[] {
  const errors = utf8Length(value) > limit ? [maxLengthText(limit)] : [];
  if (!pattern.test(value)) errors.push(text);
  return errors;
}

/** Checks that a name is a lowercase RFC 1123 label of at most 63 bytes. Returns the problems as texts, or an empty list. */
export function checkDns1123Label(value: string): string[] {
  if (!label1123.test(value) && subdomain1123.test(value))
    return [...(value.length > LABEL_LENGTH ? [maxLengthText(LABEL_LENGTH)] : []), 'must not contain dots'];
  return checkPattern(value, LABEL_LENGTH, label1123, LABEL_1123_TEXT);
}

/** Checks that a name is a lowercase RFC 1123 subdomain of at most 253 bytes. Returns the problems as texts, or an empty list. */
export function checkDns1123Subdomain(value: string): string[] {
  return checkPattern(value, SUBDOMAIN_LENGTH, subdomain1123, SUBDOMAIN_TEXT);
}

/** Checks a name in the same way as {@link checkDns1123Subdomain}, and also allows upper-case letters. */
export function checkDns1123SubdomainCaseless(value: string): string[] {
  return checkPattern(value, SUBDOMAIN_LENGTH, subdomain1123Caseless, SUBDOMAIN_CASELESS_TEXT);
}

/** Checks a name in the same way as {@link checkDns1123Subdomain}, and also allows underscores. */
export function checkDns1123SubdomainWithUnderscore(value: string): string[] {
  return checkPattern(value, SUBDOMAIN_LENGTH, subdomain1123Underscore, SUBDOMAIN_UNDERSCORE_TEXT);
}

/** Checks that a name is a DNS-1035 label of at most 63 bytes. Returns the problems as texts, or an empty list. */
export function checkDns1035Label(value: string): string[] {
  return checkPattern(value, LABEL_LENGTH, label1035, LABEL_1035_TEXT);
}

/** Checks that a name consists of `*.` and a subdomain. Returns the problems as texts, or an empty list. */
export function checkWildcardDns1123Subdomain(value: string): string[] {
  return checkPattern(value, SUBDOMAIN_LENGTH, wildcard, WILDCARD_TEXT);
}

/**
 * Checks that a text is a label key or a qualified name: an optional DNS prefix with a slash, followed by a name. Returns the problems as
 * texts, or an empty list.
 */
export function checkQualifiedName(value: string, wording: LabelWording = LABEL_WORDING): string[] {
  const slash = value.indexOf('/');
  if (slash !== value.lastIndexOf('/')) {
    return [`${wording.labelKey} ${QUALIFIED_TEXT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const errors: string[] = [];
  const name = value.slice(slash + 1);
  if (slash >= 0) {
    const prefix = value.slice(0, slash);
    if (prefix === '') errors.push(`prefix part ${EMPTY}`);
    else {
      if (utf8Length(prefix) > SUBDOMAIN_LENGTH) errors.push(`prefix part ${lengthText(SUBDOMAIN_LENGTH, wording.lengthUnit)}`);
      if (!subdomain1123.test(prefix)) errors.push(`prefix part ${SUBDOMAIN_TEXT}`);
    }
  }
  if (name === '') errors.push(`name part ${EMPTY}`);
  else if (utf8Length(name) > LABEL_LENGTH) errors.push(`name part ${lengthText(LABEL_LENGTH, wording.lengthUnit)}`);
  if (!qualified.test(name)) errors.push(`name part ${QUALIFIED_TEXT}`);
  return errors;
}

/** Checks that a text is a qualified name with a prefix, such as `example.com/key`. Returns the problems as texts, or an empty list. */
export function checkPrefixedLabelKey(value: string): string[] {
  const errors = checkQualifiedName(value);
  if (errors.length > 0) return errors;
  return value.includes('/') ? [] : ["must include a prefix (e.g. 'example.com/key')"];
}

/** Checks that a text is a label value of at most 63 bytes. Returns the problems as texts, or an empty list. */
export function checkLabelValue(value: string, wording: LabelWording = LABEL_WORDING): string[] {
  const errors = utf8Length(value) > LABEL_LENGTH ? [lengthText(LABEL_LENGTH, wording.lengthUnit)] : [];
  if (!labelValue.test(value)) errors.push(LABEL_VALUE_TEXT);
  return errors;
}

/**
 * Checks that a text can be the beginning of a URL path segment: it must not contain `/` or `%`. Returns the problems as texts, or an empty
 * list.
 */
export function checkPathSegmentPrefix(value: string): string[] {
  return ['/', '%'].filter((illegal) => value.includes(illegal)).map((illegal) => `may not contain '${illegal}'`);
}

/**
 * Checks that a name can be a complete URL path segment: it must not be `.` or `..` or contain `/` or `%`. Returns the problems as texts,
 * or an empty list.
 */
export function checkPathSegmentName(value: string): string[] {
  return value === '.' || value === '..' ? [`may not be '${value}'`] : checkPathSegmentPrefix(value);
}

/**
 * Replaces a trailing dash of a name prefix, and the character before it, by `a`, so that a name check accepts the prefix. The dash is
 * valid because the server appends a suffix. Source: api/validation/generic.go (1.37).
 */
export function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}
