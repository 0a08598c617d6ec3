import { js } from '#cel';
import { compileRegex, codePointLength } from '#go';
import { KINDS } from '../object/openapi/kind.ts';
import { TEXT } from './forms/scalar-forms.ts';
import type { CheckedNode, KeywordFamily, ValidationStep } from './keyword.ts';
import { exactChange } from './form.ts';
import { sizeBound } from './sizes.ts';
import { invalid, tooLong, tooShort, wordedBecauseOf } from '#kube';
import type { SchemaWalk } from '../object/openapi/schema-walk.ts';
import type { FieldError, TooLongWords } from '#kube';
import { CRD_CHANGES } from '../minors/minors.ts';

/** Keywords that restrict the length and the characters of a string. */
export interface TextKeywords {
  readonly maxLength: number | bigint | undefined;
  readonly minLength: number | bigint | undefined;
  readonly pattern: string;
}

declare module '../schema/schema-props.ts' {
  interface SchemaProps extends TextKeywords {}
}

/**
 * Declaration of the keywords in {@link TextKeywords}, which restrict strings: `maxLength`, `minLength` and `pattern`. The validation of a
 * string stops at the first violated keyword. Source: kube-openapi pkg/validation/validate/validator.go `stringValidator`.
 */
export const texts: KeywordFamily<TextKeywords> = {
  keywords: {
    maxLength: sizeBound({
      name: 'maxLength',
      position: 13,
      of: 'string',
      side: 'most',
      estimate: { of: 'text', least: 'minLength' },
      doc: 'The largest number of characters of a string. The cost estimates of CEL rules depend on this number.',
    }),
    minLength: sizeBound({
      name: 'minLength',
      position: 14,
      of: 'string',
      side: 'least',
      doc: 'The smallest number of characters of a string.',
    }),
    pattern: {
      name: 'pattern',
      position: 15,
      form: TEXT,
      nesting: 'allowed',
      appliesTo: [KINDS.string],
      fastPaths: {
        code(pattern, site) {
          const compiled = compileRegex(pattern);
          if (site.of !== 'string' || !compiled.ok) return undefined;
          const { value, from } = site;
          const regex = site.constant(compiled.regex);
          // If the number of characters equals the number of bytes between the quotes, the text is ASCII without escapes. Then the pattern
          // can test the bytes.
          return js`if (!(${value}.length === at - ${from} - 2 ? ${regex}.testBytes(${value}, bytes, ${from} + 1) : ${regex}.test(${value}))) return undefined;`;
        },
      },
      change: exactChange('pattern changed', { loosenedByRemoval: true }),
      docs: { doc: 'A regular expression (RE2) that must match somewhere in a string.', value: 'scalar' },
    },
  },
  validator: { appliesTo: [KINDS.string], matches: () => 1, steps },
};

function steps({
  props: { maxLength, minLength, pattern },
  behaviour: { tooLong, typedShortages },
}: CheckedNode): readonly ValidationStep[] {
  const matches = pattern === '' ? undefined : patternCheck(pattern);
  if (maxLength === undefined && minLength === undefined && matches === undefined) return [];
  return [
    (value, walk) => {
      const text = value as string;
      if (maxLength !== undefined && !checkMaxLength(text, maxLength, tooLong, walk)) return;
      if (minLength !== undefined && !checkMinLength(text, minLength, typedShortages, walk)) return;
      matches?.(text, walk);
    },
  ];
}

/**
 * Returns the check of `pattern`, an RE2 pattern that must match somewhere in the string. The check returns false if the pattern is
 * violated.
 */
function patternCheck(pattern: string): (value: string, walk: SchemaWalk) => boolean {
  const compiled = compileRegex(pattern);
  const shown = compiled.ok ? pattern : `${pattern}, but pattern is invalid: ${compiled.error}`;
  return (value, walk) => {
    if (compiled.ok && compiled.regex.test(value)) return true;
    const name = walk.name;
    const text = `${name} in body should match '${shown}'`;
    walk.add({ text, name, toError: (field) => invalid(field, value, text) });
    return false;
  };
}

/**
 * Validates `maxLength`. The length is counted in code points although the error message may mention bytes. Returns false if it is
 * violated.
 */
function checkMaxLength(value: string, limit: number | bigint, words: TooLongWords, walk: SchemaWalk): boolean {
  if (value.length <= limit || codePointLength(value) <= limit) return true;
  const name = walk.name;
  const text = `${name} in body should be at most ${limit} chars long`;
  walk.add({ text, name, toError: (field) => tooLong(field, Number(limit), words) });
  return false;
}

/**
 * Validates `minLength`, counted in code points. Returns false if it is violated. If `isTyped` is true, the error for a shorter string is
 * `tooShort` instead of `invalid`.
 */
function checkMinLength(value: string, limit: number | bigint, isTyped: boolean, walk: SchemaWalk): boolean {
  if (codePointLength(value) >= limit) return true;
  const name = walk.name;
  const text = `${name} in body should be at least ${limit} chars long`;
  const toError = (field: string): FieldError => (isTyped ? tooShort(field, value, limit) : invalid(field, value, text));
  walk.add({ text, name, toError: (field) => wordedBecauseOf(toError(field), CRD_CHANGES.shortagesAreTyped) });
  return false;
}
