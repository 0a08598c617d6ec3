import { js } from '#cel';
import { codePointLength, compileRegex } from '#go';
import { patternCheck } from '../object/openapi/pattern.ts';
import { checkMaxLength, checkMinLength } from '../object/openapi/string-length.ts';
import { KINDS } from '../object/openapi/kind.ts';
import { SIZE, TEXT } from './forms/scalar-forms.ts';
import type { CheckedNode, KeywordFamily, Step } from './keyword.ts';
import { exactly } from './shapes.ts';

/** Keywords about the length and the characters of a string. */
export interface TextKeywords {
  readonly maxLength: number | bigint | undefined;
  readonly minLength: number | bigint | undefined;
  readonly pattern: string;
}

const OF_TEXTS = { nesting: 'allowed', concerns: [KINDS.string] } as const;

/** See {@link TextKeywords}. The check stops at the first that is violated. Source: kube-openapi pkg/validation/validate/validator.go `stringValidator`. */
export const texts: KeywordFamily<TextKeywords> = {
  keywords: {
    maxLength: {
      ...OF_TEXTS,
      name: 'maxLength',
      position: 13,
      form: SIZE,
      ways: {
        // A string has at most as many code points as UTF-16 units.
        code(limit, { of, value, constant }) {
          if (of !== 'string') return undefined;
          return js`if (${value}.length > ${Number(limit)} && ${constant(codePointLength)}(${value}) > ${Number(limit)}) return undefined;`;
        },
        between: () => true,
      },
      estimate: { of: 'text', least: 'minLength' },
      change: { kind: 'bound', tighter: 'smaller' },
      words: { doc: 'Most characters of a string. Estimates of rules depend on it.', value: 'scalar' },
    },
    minLength: {
      ...OF_TEXTS,
      name: 'minLength',
      position: 14,
      form: SIZE,
      ways: {
        // And at least half as many.
        code(limit, { of, value, constant }) {
          if (of !== 'string') return undefined;
          return js`if (${value}.length < ${2 * Number(limit)} && ${constant(codePointLength)}(${value}) < ${Number(limit)}) return undefined;`;
        },
        between: () => true,
      },
      change: { kind: 'bound', tighter: 'larger' },
      words: { doc: 'Fewest characters of a string.', value: 'scalar' },
    },
    pattern: {
      ...OF_TEXTS,
      name: 'pattern',
      position: 15,
      form: TEXT,
      ways: {
        code(pattern, site) {
          const compiled = compileRegex(pattern);
          if (site.of !== 'string' || !compiled.ok) return undefined;
          const { value, from } = site;
          const regex = site.constant(compiled.regex);
          // A text that is as long as what stands between its quotes is of ASCII, without escapes.
          return js`if (!(${value}.length === at - ${from} - 2 ? ${regex}.testBytes(${value}, bytes, ${from} + 1) : ${regex}.test(${value}))) return undefined;`;
        },
      },
      change: exactly('pattern changed', true),
      words: { doc: 'A regular expression (RE2) that must match somewhere in a string.', value: 'scalar' },
    },
  },
  validator: { concerns: [KINDS.string], matches: () => 1, steps },
};

function steps({ props: { maxLength, minLength, pattern }, dialect: { tooLong } }: CheckedNode): readonly Step[] {
  const matches = pattern === '' ? undefined : patternCheck(pattern);
  if (maxLength === undefined && minLength === undefined && matches === undefined) return [];
  return [
    (value, walk) => {
      const text = value as string;
      if (maxLength !== undefined && !checkMaxLength(text, maxLength, tooLong, walk)) return;
      if (minLength !== undefined && !checkMinLength(text, minLength, walk)) return;
      matches?.(text, walk);
    },
  ];
}
