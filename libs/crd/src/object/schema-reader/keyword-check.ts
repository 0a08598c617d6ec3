import type { CancellationToken, JsonValue } from '#go';
import { saysOnly, silentAnd } from '../../schema/says-only.ts';
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

const CONTENTS = ['properties', 'additionalProperties', 'items', 'required'] as const;
const OF_SCALARS = ['format', 'minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'minLength', 'maxLength', 'pattern'] as const;
const OF_LISTS = ['minItems', 'maxItems', 'uniqueItems'] as const;

/** Keywords that single fields, or values that are no objects, meet or violate. */
const FIELDWISE = silentAnd(...CONTENTS, ...OF_SCALARS, 'multipleOf', ...OF_LISTS);
const READABLE = silentAnd(...FIELDWISE, 'enum', 'minProperties', 'maxProperties', ...(['allOf', 'anyOf', 'oneOf', 'not'] as const));

/** Returns false if a schema uses a keyword that generated readers have no code for. */
export const isReadableSchema = (props: SchemaProps): boolean => saysOnly(props, READABLE);

/** Returns true if a schema says something of its objects that no single field of them tells. */
export const describesWhole = (props: SchemaProps): boolean => props.enum !== undefined || !saysOnly(props, FIELDWISE);
