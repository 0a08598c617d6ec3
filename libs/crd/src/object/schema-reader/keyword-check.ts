import type { CancellationToken, JsonValue } from '#go';
import type { Keyword } from '../../keywords/keyword.ts';
import { keywordsAbout } from '../../keywords/vocabulary.ts';
import type { VocabularyKeyword } from '../../keywords/vocabulary.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import type { Dialect } from '../openapi/check.ts';
import { compileNode } from '../openapi/compile-validator.ts';
import { EVERY_KIND, KINDS } from '../openapi/kind.ts';
import { SchemaWalk } from '../openapi/schema-walk.ts';
import { Polls } from '../write/polls.ts';

/** Function that returns true if a value meets the keywords of a schema. */
export type KeywordCheck = (value: JsonValue, token?: CancellationToken) => boolean;

/**
 * Returns a function that returns true if a value satisfies all keywords of a schema. The function runs the exact validation. It is used
 * for keywords that have no generated code.
 */
export function keywordCheck(props: SchemaProps, dialect: Dialect): KeywordCheck {
  const check = compileNode(props, dialect);
  return (value, token) => {
    const walk = new SchemaWalk(new Polls(token));
    check(value, walk);
    return walk.findings.length === 0;
  };
}

/**
 * Returns a schema without the keywords about children (list elements or object entries) of its values. A generated reader validates the
 * children separately.
 */
export function withoutContents(props: SchemaProps): SchemaProps {
  const contents = props.vocabulary.keywords.filter((keyword) => keyword.contents === true);
  return { ...props, ...Object.fromEntries(contents.map(({ field, form }) => [field, form.absent])) };
}

/**
 * Returns a keyword of a schema about the children (list elements or object entries) of its values that generated code cannot read from
 * JSON bytes. Returns undefined if there is no such keyword.
 */
export function unreadableKeyword(props: SchemaProps): VocabularyKeyword | undefined {
  return keywordsAbout(props, ...EVERY_KIND).find(({ contents, fastPaths }) => contents === true && fastPaths.code === undefined);
}

/** Returns true if generated code can validate a keyword on an object by checking each field separately. */
export const isFieldwise = ({ fieldwise, fastPaths }: Keyword): boolean => fieldwise === true && fastPaths.code !== undefined;

/** Returns true if a schema has a keyword that generated code cannot check on objects field by field. */
export const describesWhole = (props: SchemaProps): boolean => !keywordsAbout(props, KINDS.object).every(isFieldwise);
