import { utf8Bytes, writeJson } from '#go';
import { LATEST_MINOR } from '#kube';
import type { Minor } from '#kube';
import { nodeEngine } from '#runner/linker';
import { describe, expect, it } from 'vitest';
import { compileStoredDefinition } from '../definition/compile-definition.ts';
import type { CompiledDefinition } from '../definition/compile-definition.ts';
import { judgeDefinition } from '../definition/judge-definition.ts';
import { validateObject } from '../object/validate-object.ts';
import { widget, widgetDefinition } from '../testing/definition-fixture.ts';
import { IMAGINARY_CASES, WITH_IMAGINARY } from '../testing/imaginary-keywords.ts';
import { verdictText } from '../testing/outcomes.ts';
import type { ObjectWrite } from '../verdict.ts';
import { KEYWORDS } from './all.ts';
import { TEXT } from './forms/scalar-forms.ts';
import { unsupported } from './form.ts';

const definitionOf = (schema: object) => widgetDefinition({ type: 'object', properties: { field: schema } });

function compiled(schema: object, engine: 'compiled' | 'interpreted'): CompiledDefinition {
  const outcome = compileStoredDefinition(definitionOf(schema), {
    minor: LATEST_MINOR,
    vocabulary: WITH_IMAGINARY,
    engine: engine === 'compiled' ? nodeEngine('compiled') : undefined,
  });
  if (!outcome.ok) throw new Error(outcome.status.message);
  return outcome.definition;
}

const bytesOf = (value: unknown): Uint8Array => utf8Bytes(writeJson(widget({ field: value })));
const create = (body: ObjectWrite['body'], more: Partial<ObjectWrite> = {}): ObjectWrite => ({
  operation: 'CREATE',
  body,
  contentType: 'application/json',
  fieldValidation: 'Strict',
  ...more,
});

/** Code paths that can compute the verdict on a write of a value. `valid` is a value that may already be stored. */
const WAYS: Readonly<Record<string, (schema: object, value: unknown, valid: unknown) => string>> = {
  exact: (schema, value) => verdictText(validateObject(compiled(schema, 'interpreted'), create(bytesOf(value)))),
  reader: (schema, value) => verdictText(validateObject(compiled(schema, 'compiled'), create(bytesOf(value)))),
  'reader after others': (schema, value, valid) => {
    const definition = compiled(schema, 'compiled');
    for (let i = 0; i < 3; i++) validateObject(definition, create(bytesOf(valid)));
    return verdictText(validateObject(definition, create(bytesOf(value))));
  },
  YAML: (schema, value) => {
    const body = utf8Bytes(`apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: one\nspec:\n  field: ${JSON.stringify(value)}\n`);
    return verdictText(validateObject(compiled(schema, 'compiled'), create(body, { contentType: 'application/yaml' })));
  },
  update: (schema, value, valid) => {
    const more = { operation: 'UPDATE', oldObject: widget({ field: valid }) } as const;
    return verdictText(validateObject(compiled(schema, 'compiled'), create(bytesOf(value), more)));
  },
};

const isAccepted = (verdict: string): boolean => (JSON.parse(verdict) as unknown[])[0] === true;

// A fast path without code for a new keyword must not skip that keyword.
describe.each(IMAGINARY_CASES)('a keyword that only this test adds, in a schema of %s,', (_, schema, valid, invalid) => {
  it.each(Object.keys(WAYS))('gets the verdicts of the exact code from: %s', (way) => {
    const judge = WAYS[way] as (typeof WAYS)['exact'];
    const [refused, accepted] = [judge(schema, invalid, valid), judge(schema, valid, valid)];
    expect([isAccepted(refused), isAccepted(accepted)]).toEqual([false, true]);
    expect(JSON.parse(refused)).toMatchObject({
      1: [{ reason: 'Invalid' }, { 0: expect.stringMatching(/in body should meet|must validate/) }],
    });
    if (way !== 'update')
      expect([refused, accepted]).toEqual([WAYS['exact']?.(schema, invalid, valid), WAYS['exact']?.(schema, valid, valid)]);
  });
});

describe('a keyword that only this test adds', () => {
  const schema = { type: 'string', maxWords: 2, nullable: true };
  const judged = (minor: Minor, vocabulary = WITH_IMAGINARY) =>
    judgeDefinition(definitionOf(schema), undefined, { minor, vocabulary, fieldValidation: 'Warn' });

  it('is stored with a definition', () => {
    const { accepted, warnings, stored } = judged(LATEST_MINOR);
    expect([accepted, warnings]).toEqual([true, []]);
    expect(writeJson(stored ?? null)).toContain('{"maxWords":2,"nullable":true,');
  });

  it('is an unknown field without its vocabulary, and in Kubernetes versions before its first one', () => {
    const unknown = ['unknown field "spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.field.maxWords"'];
    expect(judged(LATEST_MINOR, KEYWORDS).warnings).toEqual(unknown);
    const since = WITH_IMAGINARY.map((keyword) => (keyword.name === 'maxWords' ? { ...keyword, since: 36 } : keyword));
    expect(judged('1.35', since).warnings).toEqual(unknown);
    expect(judged('1.36', since).warnings).toEqual([]);
  });

  it('makes a definition invalid if its keyword family does not support it', () => {
    const vocabulary = KEYWORDS.with({
      keywords: { dream: unsupported('dream', TEXT, { position: 99 }) },
      refused: (props) => ('dream' in props && props.dream !== '' ? ['dream'] : []),
    });
    const { errors } = judgeDefinition(definitionOf({ type: 'string', dream: 'x' }), undefined, { minor: LATEST_MINOR, vocabulary });
    expect(errors.map(({ detail }) => detail)).toContain('dream is not supported');
  });

  it('counts as a keyword beside the type of an int-or-string', () => {
    const anyOf = [{ type: 'integer' }, { type: 'string', maxWords: 1 }];
    const document = definitionOf({ 'x-kubernetes-int-or-string': true, anyOf });
    const { errors } = judgeDefinition(document, undefined, { minor: LATEST_MINOR, vocabulary: WITH_IMAGINARY });
    expect(errors.map(({ detail }) => detail)).toContain('must be empty to be structural');
  });
});
