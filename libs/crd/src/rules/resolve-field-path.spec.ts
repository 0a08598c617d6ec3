import { describe, expect, it } from 'vitest';
import { decodeSchema, SchemaDecoder } from '../schema/decode-schema.ts';
import { KEYWORDS } from '../keywords/all.ts';
import { toStructural } from '../structural/from-schema.ts';
import { resolveFieldPath } from './resolve-field-path.ts';

const json = {
  type: 'object',
  properties: {
    'a-b': { type: 'object', properties: { c: { type: 'string' } } },
    map: { type: 'object', additionalProperties: { type: 'string' } },
    list: { type: 'array', items: { type: 'string' } },
  },
};
const schema = decodeSchema(new SchemaDecoder('JSONSchemaProps', { vocabulary: KEYWORDS }), json, '');
const converted = schema && toStructural(schema);
if (converted?.ok !== true) throw new Error('not structural');
const { structural } = converted;

describe('field paths of rules', () => {
  it.each(['.a-b.c', "['a-b'].c", '.map.x', ".map['x.y']", '.list'])('%s exists', (path) => {
    expect(resolveFieldPath(path, structural, 'dotsAndBrackets').ok).toBe(true);
  });

  it.each(['.', 'a', '.nope', '.a-b.d', '.list.x', ".map['x", '.a-b..c'])('%j does not exist', (path) => {
    expect(resolveFieldPath(path, structural, 'dotsAndBrackets').ok).toBe(false);
  });
});
