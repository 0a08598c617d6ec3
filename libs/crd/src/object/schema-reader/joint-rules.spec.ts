import { LATEST_MINOR, defaultGates } from '#kube';
import { utf8Bytes } from '#go';
import { nodeEngine } from '#runner/linker';
import { describe, expect, it } from 'vitest';
import { compileStoredDefinition } from '../../definition/compile-definition.ts';
import type { CompiledDefinition } from '../../definition/compile-definition.ts';
import { definitionOfSchema } from '../../testing/definition-fixture.ts';
import type { ObjectVerdict, ObjectWrite, ValidationOptions } from '../../verdict.ts';
import { validateObject } from '../validate-object.ts';

const text = { type: 'string', maxLength: 100 };
const WIDE = '👑👑👑👑👑👑👑👑👑👑👑👑';

/** Returns a definition whose rules count characters, and read required fields, fields with a default, and texts that recur. */
function definitionWith(more: object = {}): CompiledDefinition {
  const schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        required: ['title'],
        properties: {
          title: { ...text, 'x-kubernetes-validations': [{ rule: "!self.startsWith('-')" }, { rule: "self != 'no'" }] },
          mode: { type: 'string', default: 'slow' },
          other: text,
          maybe: { ...text, nullable: true },
          parts: {
            type: 'array',
            maxItems: 20,
            items: { type: 'object', required: ['name'], properties: { name: text, count: { type: 'integer', default: 1 } } },
            'x-kubernetes-validations': [
              { rule: 'self.all(a, self.exists_one(b, a.name == b.name))' },
              { rule: 'self.all(a, a.count > 0)' },
            ],
          },
          sized: { type: 'object', minProperties: 2, maxProperties: 2, properties: { a: text, b: text, c: { ...text, default: 'c' } } },
          ...more,
        },
        'x-kubernetes-validations': [
          { rule: "self.title.contains('e') || self.mode == 'slow'" },
          { rule: '!has(self.other) || self.title != self.other' },
          { rule: "!has(self.maybe) || self.maybe != 'no'" },
        ],
      },
    },
  };
  const outcome = compileStoredDefinition(definitionOfSchema(schema), {
    minor: LATEST_MINOR,
    gates: defaultGates(LATEST_MINOR),
    engine: nodeEngine('compiled'),
  });
  if (!outcome.ok) throw new Error(outcome.status.message);
  return outcome.definition;
}

const spec = (fields: string): string => `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"one"},"spec":{${fields}}}`;

/**
 * Computes the verdict on a body repeatedly with the same definition, so that rules are joined into one function and texts become known.
 * Returns all verdicts. Each verdict must equal the verdict of the exact validation.
 */
function judgings(definition: CompiledDefinition, fields: string, options: ValidationOptions = {}): readonly string[] {
  const write = (body: Uint8Array | string): ObjectWrite => ({
    operation: 'CREATE',
    body,
    contentType: 'application/json',
    fieldValidation: 'Warn',
  });
  const shown = (verdict: ObjectVerdict): unknown =>
    'cancelled' in verdict ? verdict : { accepted: verdict.accepted, cost: verdict.cost, object: verdict.accepted && verdict.object };
  return Array.from({ length: 4 }, () => {
    const verdict = validateObject(definition, write(utf8Bytes(spec(fields))), { ...options, timings: true });
    expect(shown(verdict)).toEqual(shown(validateObject(definition, write(spec(fields)), options)));
    if ('cancelled' in verdict || !verdict.accepted) return 'refused';
    return verdict.phases === undefined ? 'reader' : 'exactly';
  });
}

const READER = ['reader', 'reader', 'reader', 'reader'];
const REFUSED = ['refused', 'refused', 'refused', 'refused'];

describe('rules of a schema node, which generated code evaluates together,', () => {
  it.each([
    ['texts of ASCII', '"title":"a title of more than ten characters","other":"a title of more than ten letters"'],
    ['characters of two units', `"title":"e${WIDE}","other":"e${WIDE}x"`],
    ['such characters as escapes', `"title":"e${'\\ud83d\\ude00'.repeat(12)}","other":"e${'\\ud83d\\ude00'.repeat(13)}"`],
    ['characters of several bytes', `"title":"e${'é'.repeat(12)}","other":"e${'é'.repeat(13)}"`],
    ['other escapes', '"title":"e\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n","other":"\\"\\\\"'],
    ['a null where it may be', '"title":"one","maybe":null'],
    ['nulls that are no values', '"title":"one","mode":null,"other":null'],
    ['items', '"title":"one","parts":[{"name":"a"},{"name":"b","count":2},{"count":1,"name":"c"}]'],
    ['one field and a default', '"title":"one","sized":{"a":"x"}'],
    ['one field, a null and a default', '"title":"one","sized":{"a":"x","b":null,"c":null}'],
  ])('have the exact cost for %s', (_, fields) => {
    expect(judgings(definitionWith(), fields)).toEqual(READER);
  });

  it('count the characters of a default value for the cost', () => {
    const wide = { type: 'string', default: WIDE };
    const list = { type: 'array', items: { type: 'string' }, default: [WIDE] };
    const rules = [{ rule: 'self.wide == self.list[0]' }];
    const held = { type: 'object', default: {}, properties: { wide, list }, 'x-kubernetes-validations': rules };
    expect(judgings(definitionWith({ held }), '"title":"one","held":{}')).toEqual(READER);
    expect(judgings(definitionWith({ held }), '"title":"one"')).toEqual(READER);
  });

  it('leave an integral float in an integer field to the exact code', () => {
    expect(judgings(definitionWith(), '"title":"one","parts":[{"name":"a","count":1.0}]')).not.toContain('reader');
  });

  it.each([
    ['of the object', '"title":"one","other":"one"'],
    ['of the object, of a known text', '"title":"no"'],
    ['of a list', '"title":"one","parts":[{"name":"a"},{"name":"a"}]'],
    ['of a list, about a number', '"title":"one","parts":[{"name":"a","count":0}]'],
    ['of a null that is something else', '"title":"one","maybe":"no"'],
    ['about the number of fields', '"title":"one","sized":{}'],
    ['about a greater number of fields', '"title":"one","sized":{"a":"x","b":"y"}'],
  ])('reject an object that violates a rule %s', (_, fields) => {
    expect(judgings(definitionWith(), fields)).toEqual(REFUSED);
  });

  it('obey the cost limit of a call, even for cached texts', () => {
    const definition = definitionWith();
    const fields = '"title":"a title of more than ten characters"';
    expect(judgings(definition, fields)).toEqual(READER);
    expect(judgings(definition, fields, { costLimit: 2 })).toEqual(REFUSED);
    expect(judgings(definition, fields)).toEqual(READER);
  });

  it('obey the cost limit of a call if the generated code calls them one by one', () => {
    const definition = definitionWith();
    const fields = `"title":"e${WIDE}"`;
    expect(judgings(definition, fields)).toEqual(READER);
    expect(judgings(definition, fields, { costLimit: 2 })).toEqual(REFUSED);
  });
});
