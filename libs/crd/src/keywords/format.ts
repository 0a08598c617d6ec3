import { joined, js } from '#cel';
import type { Fragment } from '#cel';
import { stringFormat, formatChange, typeInvalid } from '#kube';
import { KINDS } from '../object/openapi/kind.ts';
import { TEXT } from './forms/scalar-forms.ts';
import type { CheckedNode, KeywordFamily } from './keyword.ts';
import { exactChange } from './form.ts';
import { goQuote } from '#go';
import type { FormatCheck } from '#kube';
import type { SchemaWalk } from '../object/openapi/schema-walk.ts';

/** Keyword that names the format of a string or the range of a number. */
export interface FormatKeyword {
  readonly format: string;
}

declare module '../schema/schema-props.ts' {
  interface SchemaProps extends FormatKeyword {}
}

/**
 * Range of an int32. Generated code tests the format `int32` with it. Generated code also compares integers with values of `minimum` and
 * `maximum` strictly inside this range. Upstream never reports an error about such a value itself. For other values of `minimum` and
 * `maximum`, generated code calls the exact validation.
 */
export const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 } as const;

const checkOf = ({ format, behaviour }: CheckedNode) => (format === '' ? undefined : stringFormat(format, behaviour.formatMinor));

/**
 * Declaration of the keyword `format` ({@link FormatKeyword}). A string must have the named format. A format of a number, such as `int32`,
 * limits its range, see `numbers.ts`. Source: kube-openapi pkg/validation/validate/formats.go.
 */
export const formats: KeywordFamily<FormatKeyword> = {
  keywords: {
    format: {
      name: 'format',
      position: 6,
      form: TEXT,
      nesting: 'allowed',
      appliesTo: [KINDS.string, KINDS.int, KINDS.float],
      fastPaths: {
        code: (format, { of, value, behaviour, constant }) => {
          if (of === 'integer') return integerRange(format, value);
          if (of !== 'string') return undefined;
          const check = stringFormat(format, behaviour.formatMinor);
          return check === undefined ? js`` : js`if (!${constant(check)}(${value})) return undefined;`;
        },
        between: (kind, format, { formatMinor }) => kind !== KINDS.string || stringFormat(format, formatMinor) === undefined,
      },
      change: exactChange('format changed', { loosenedByRemoval: true }),
      docs: {
        doc: 'A format that a string or number must have, such as date-time.',
        value: 'scalar',
        values: [
          ['date-time', 'date', 'duration', 'int32', 'int64', 'float', 'double', 'byte', 'email', 'hostname'],
          ['ipv4', 'ipv6', 'cidr', 'uri', 'uuid'],
        ].flat(),
      },
    },
  },
  validator: {
    appliesTo: [KINDS.string],
    matches: (node) => (checkOf(node) === undefined ? 0 : 1),
    steps(node) {
      const check = checkOf(node);
      return check === undefined ? [] : [(value, walk) => checkFormat(value as string, node.format, check, walk)];
    },
  },
};

/**
 * Returns the code that tests an integer's format, or undefined for an unknown format. `int64` needs no test, because a reader accepts only
 * integers within int64.
 */
function integerRange(format: string, value: Fragment): Fragment | undefined {
  if (format === 'int64') return js``;
  if (format !== 'int32') return undefined;
  return joined([js`if (${value} < ${INT32.min}) return undefined;`, js`if (${value} > ${INT32.max}) return undefined;`], '\n');
}

/**
 * Validates a string against `format`, and reports a mismatch to `walk`. A mismatch is a type error, so the rules of the object are not
 * evaluated.
 */
function checkFormat(value: string, format: string, check: FormatCheck, walk: SchemaWalk): void {
  if (check(value)) return;
  const name = walk.name;
  const text = `${name} in body must be of type ${format}: ${goQuote(value)}`;
  const change = formatChange(format);
  walk.add({ text, name, toError: (field) => typeInvalid(field, value, text), because: change && [change] });
}
