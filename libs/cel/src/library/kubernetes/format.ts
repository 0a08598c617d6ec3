import { parseRequestUri } from '#go';
import {
  checkDns1035Label,
  checkDns1123Label,
  checkDns1123Subdomain,
  checkLabelValue,
  checkQualifiedName,
  LATEST_MINOR,
  maskTrailingDash,
  metaWording,
  stringFormat,
} from '#kube';
import { releaseOf } from '../../minors.ts';
import { equalWithin, LibraryValue } from '../../values/library-value.ts';
import { NativeList } from '../../values/list.ts';
import { NONE, Optional } from '../../values/value.ts';
import type { CelError, CelValue } from '../../values/value.ts';
import { listOf, objectType, optionalOf, STRING } from '../../values/types/type.ts';
import type { FunctionDeclaration, PlainCall } from '../define.ts';
import { nominal, oneUnit, REGEX_LENGTH, regexMatch, scan } from '../formulas.ts';
import { dated, globalOverload, linear, memberOverload } from '../overload.ts';
import { estimateOf, scaled, size, statedMeasure } from '../price.ts';
import type { PriceTerm } from '../price.ts';

const FORMAT_TYPE = objectType('kubernetes.NamedFormat');
/** Minor number of the compatibility version that introduced the format library. */
const since = 31;
/** Length of a format's pattern that static estimates assume, because the estimator does not know the format. */
const MAX_NAME_PATTERN = 128;

/** CEL value of a named format, by which strings can be validated. */
class FormatValue extends LibraryValue {
  readonly celType = FORMAT_TYPE;
  readonly goType = 'cel.Format';
  readonly name: string;
  /** Returns a message for each violation of the format in `text`. The list is empty if `text` is valid. */
  readonly validate: (text: string) => readonly string[];
  /** Length of the format's pattern. The cost that is measured at run time uses it. */
  readonly patternSize: number;
  constructor(name: string, patternSize: number, validate: (text: string) => readonly string[]) {
    super();
    this.name = name;
    this.validate = validate;
    this.patternSize = patternSize;
  }
  override get isHashable(): boolean {
    return false;
  }
  equalTo(other: CelValue): boolean | CelError {
    return equalWithin(FormatValue, other, ({ name }) => name === this.name);
  }
  toString(): string {
    return this.name;
  }
}

/**
 * Returns a function that validates strings by an OpenAPI string format. For an invalid string, it returns `complaint` as the only message.
 */
function openApiFormat(name: string, complaint: string): (text: string) => string[] {
  const check = stringFormat(name, releaseOf(LATEST_MINOR).server);
  return (text) => (check === undefined || check(text) ? [] : [complaint]);
}

function uriErrors(text: string): string[] {
  const parsed = parseRequestUri(text);
  return parsed.ok ? [] : [parsed.error];
}

const asPrefix =
  (check: (text: string) => string[]) =>
  (text: string): string[] =>
    check(maskTrailingDash(text));

/**
 * Pattern lengths that upstream uses in cost formulas of the UUID and date-time formats. Formats that are checked without a pattern have an
 * assumed length. Source: k8s.io/apiserver/pkg/cel/library/format.go (1.37).
 */
const UUID_PATTERN = 70;
const DATE_TIME_PATTERN = 71;

const FORMATS: ReadonlyMap<string, FormatValue> = new Map([
  ['dns1123Label', new FormatValue('DNS1123Label', 30, checkDns1123Label)],
  ['dns1123Subdomain', new FormatValue('DNS1123Subdomain', 60, checkDns1123Subdomain)],
  ['dns1035Label', new FormatValue('DNS1035Label', 30, checkDns1035Label)],
  ['qualifiedName', new FormatValue('QualifiedName', 60, checkQualifiedName)],
  ['dns1123LabelPrefix', new FormatValue('DNS1123LabelPrefix', 30, asPrefix(checkDns1123Label))],
  ['dns1123SubdomainPrefix', new FormatValue('DNS1123SubdomainPrefix', 60, asPrefix(checkDns1123Subdomain))],
  ['dns1035LabelPrefix', new FormatValue('DNS1035LabelPrefix', 30, asPrefix(checkDns1035Label))],
  ['labelValue', new FormatValue('LabelValue', 40, checkLabelValue)],
  ['uri', new FormatValue('URI', 1103, uriErrors)],
  ['uuid', new FormatValue('uuid', UUID_PATTERN, openApiFormat('uuid', 'does not match the UUID format'))],
  ['byte', new FormatValue('byte', 84, openApiFormat('byte', 'invalid base64'))],
  ['date', new FormatValue('date', DATE_TIME_PATTERN, openApiFormat('date', 'invalid date'))],
  ['datetime', new FormatValue('datetime', DATE_TIME_PATTERN, openApiFormat('datetime', 'invalid datetime'))],
]);

/**
 * First Kubernetes minor version whose messages state length limits in bytes. Servers up to 1.34 state limits in characters and use other
 * terms for names.
 */
const wordedInBytesFrom = '1.35';
const EARLIER_WORDING = metaWording('1.34');
const EARLIER_FORMATS: ReadonlyMap<string, FormatValue> = new Map([
  ...FORMATS,
  ['qualifiedName', new FormatValue('QualifiedName', 60, (text) => checkQualifiedName(text, EARLIER_WORDING))],
  ['labelValue', new FormatValue('LabelValue', 40, (text) => checkLabelValue(text, EARLIER_WORDING))],
]);

const named =
  (formats: ReadonlyMap<string, FormatValue>): PlainCall =>
  (name) => {
    const format = formats.get(name as string);
    return format === undefined ? NONE : new Optional(format);
  };

function validate(format: FormatValue, text: string): CelValue {
  const errors = format.validate(text);
  return errors.length === 0 ? NONE : new Optional(new NativeList(errors, 'string'));
}

/** Pattern length that cost formulas use for the format in operand `x`. 0 if the operand is not a format. */
const PATTERN_SIZE: PriceTerm = {
  ...size(0),
  words: 'pattern(x)',
  units: ([format]) => (format instanceof FormatValue ? format.patternSize : 0),
  emit: () => undefined,
};
const VALIDATION = regexMatch(size(1), PATTERN_SIZE);
const measureValidation = statedMeasure([{ formula: VALIDATION.words }, { when: 'x is no format', formula: '1' }], (args, _, costs) =>
  args[0] instanceof FormatValue ? VALIDATION.units(args, costs) : 1,
);

/** Declarations of the functions for named formats. */
export const FORMAT_FUNCTIONS: readonly FunctionDeclaration[] = [
  {
    name: 'validate',
    library: 'kubernetes.format',
    doc: 'The errors of a string in a format, as an optional list. The optional is empty if the string is valid.',
    examples: [
      "!format.dns1123Label().validate('my-label').hasValue()",
      "format.uuid().validate('x').value() == ['does not match the UUID format']",
    ],
    measure: measureValidation,
    overloads: [
      memberOverload('format-validate', [FORMAT_TYPE, STRING], optionalOf(listOf(STRING)), {
        since,
        estimate: estimateOf(scaled(MAX_NAME_PATTERN * REGEX_LENGTH, scan(size(1)))),
        measure: measureValidation,
        growth: linear('k8s.io/apiserver/pkg/cel/library/format.go `formatValidate`, whose patterns are fixed (1.37)'),
        call: (format, text) => validate(format as FormatValue, text as string),
      }),
    ],
  },
  {
    name: 'format.named',
    library: 'kubernetes.format',
    doc: 'The format with this name, as an optional. The optional is empty if there is none.',
    examples: ["format.named('dns1123Label').hasValue()", "!format.named('unknown').hasValue()"],
    measure: oneUnit,
    overloads: [
      ...dated(
        globalOverload('format-named', [STRING], optionalOf(FORMAT_TYPE), {
          since,
          estimate: nominal,
          measure: oneUnit,
          growth: linear('Go `string` as a key of a map, in k8s.io/apiserver/pkg/cel/library/format.go (1.37)'),
          call: named(FORMATS),
        }),
        [{ replacedIn: wordedInBytesFrom, parts: { call: named(EARLIER_FORMATS) } }],
      ),
    ],
  },
  ...[...FORMATS].map(([name, format]): FunctionDeclaration => ({
    name: `format.${name}`,
    library: 'kubernetes.format',
    doc: `The format ${format.name}.`,
    examples: [`format.${name}() == format.named('${name}').value()`],
    overloads: dated(globalOverload(`format.${name}`, [], FORMAT_TYPE, { since, variadic: true, call: () => format }), [
      { replacedIn: wordedInBytesFrom, parts: { call: () => EARLIER_FORMATS.get(name) ?? format } },
    ]),
  })),
];
