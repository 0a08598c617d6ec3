import type { CancellationToken, JsonValue } from '#go';
import type { SchemaProps } from '../../schema/schema-props.ts';
import type { Dialect } from '../openapi/check.ts';
import { compileNode } from '../openapi/compile-validator.ts';
import { SchemaWalk } from '../openapi/schema-walk.ts';
import { Polls } from '../write/polls.ts';

/** Whether a value meets the keywords of a schema. */
export type KeywordCheck = (value: JsonValue, token?: CancellationToken) => boolean;

/** The exact check of a schema's keywords, with only its outcome: for keywords that have no code of their own. */
export function keywordCheck(props: SchemaProps, dialect: Dialect): KeywordCheck {
  const check = compileNode(props, dialect);
  return (value, token) => {
    const walk = new SchemaWalk(new Polls(token));
    check(value, walk);
    return walk.findings.length === 0;
  };
}

/** A schema without the keywords that describe what is inside its values: those are looked at one by one as they are read. */
export function withoutContents(props: SchemaProps): SchemaProps {
  return { ...props, items: undefined, properties: undefined, additionalProperties: undefined };
}

/** Whether several schemas are laid over the values of one, or one that they must not meet. */
export function hasJunctors({ allOf, anyOf, oneOf, not }: SchemaProps): boolean {
  return allOf.length > 0 || anyOf.length > 0 || oneOf.length > 0 || not !== undefined;
}

/** Whether a schema says of its objects what no single field of them tells. */
export function describesWhole(props: SchemaProps): boolean {
  const { minProperties, maxProperties } = props;
  return hasJunctors(props) || props.enum !== undefined || minProperties !== undefined || maxProperties !== undefined;
}
