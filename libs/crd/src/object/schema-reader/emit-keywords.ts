import { joined, js } from '#cel';
import type { Fragment } from '#cel';
import type { ReaderSite, Keyword } from '../../keywords/keyword.ts';
import { keywordsAbout } from '../../keywords/vocabulary.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import { KINDS } from '../openapi/kind.ts';
import type { Kind } from '../openapi/kind.ts';
import { keywordCheck, withoutContents } from './keyword-check.ts';
import type { ReaderCode } from './reader-code.ts';

/**
 * Data that a schema keyword receives to emit code that tests a value. The code becomes part of a generated schema reader. This type is
 * {@link ReaderSite} without the properties that `ReaderCode` supplies.
 */
export type ValueSite = ReaderSite extends infer Site ? (Site extends ReaderSite ? Omit<Site, 'dialect' | 'constant'> : never) : never;

const KINDS_OF: Readonly<Record<ReaderSite['of'], readonly Kind[]>> = {
  string: [KINDS.string],
  integer: [KINDS.int],
  number: [KINDS.int, KINDS.float],
  boolean: [KINDS.bool],
  list: [KINDS.array],
  map: [KINDS.object],
  object: [KINDS.object],
};

/**
 * Emits code that tests a value against the keywords of its schema. The emitted code makes its enclosing function return undefined if a
 * test fails. Keywords about the children of the value are not included. If generated code cannot test a keyword, the emitted code calls
 * the exact validation for all keywords instead.
 *
 * @param isMeant Returns true for the keywords that are to be checked.
 */
export function emitKeywords(
  code: ReaderCode,
  props: SchemaProps,
  site: ValueSite,
  isMeant: (keyword: Keyword) => boolean = () => true,
): Fragment {
  const whole = { ...site, dialect: code.dialect, constant: (value: unknown) => code.constant(value) } as ReaderSite;
  const tests: Fragment[] = [];
  for (const keyword of keywordsAbout(props, ...KINDS_OF[site.of]).filter(isMeant)) {
    const test = keyword.fastPaths.code?.(props[keyword.field], whole, props);
    if (test === undefined) return emitCheck(code, withoutContents(props), site.value);
    tests.push(test);
  }
  return joined(tests, '\n');
}

/**
 * Emits code that validates a value by calling the exact validation for the keywords of its schema. Callers use it if a keyword has no
 * generated test. The emitted code returns undefined if the value is invalid.
 */
export function emitCheck(code: ReaderCode, props: SchemaProps, value: Fragment): Fragment {
  return js`if (!${code.constant(keywordCheck(props, code.dialect))}(${value}, r.token)) return undefined;`;
}
