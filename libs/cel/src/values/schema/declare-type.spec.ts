import { describe, expect, it } from 'vitest';
import { schemaOf } from '../../testing/compile-fixture.ts';
import type { SchemaFixture } from '../../testing/compile-fixture.ts';
import { declareType } from './declare-type.ts';

const bounds = (fixture: SchemaFixture, minor: '1.33' | '1.36' | '1.37' = '1.37') => {
  const declared = declareType(schemaOf(fixture), 'value', minor);
  return declared && [declared.minSerializedSize, declared.maxElements];
};

describe('the least size and the largest length of a type from a schema', () => {
  it.each<[string, SchemaFixture, [number, number] | undefined]>([
    ['string', { type: 'string' }, [2, 3145726]],
    ['string with maxLength', { type: 'string', maxLength: 10 }, [2, 40]],
    ['string with enum', { type: 'string', enum: ['a', 'äö'] }, [2, 4]],
    ['byte', { type: 'string', format: 'byte', maxLength: 10 }, [2, 10]],
    ['duration', { type: 'string', format: 'duration', maxLength: 5 }, [3, 32]],
    ['date', { type: 'string', format: 'date' }, [12, 12]],
    ['date-time', { type: 'string', format: 'date-time' }, [21, 32]],
    ['integer', { type: 'integer' }, [1, 0]],
    ['boolean', { type: 'boolean' }, [4, 0]],
    ['int-or-string', { intOrString: true, maxLength: 3 }, [1, 12]],
    ['list of booleans', { type: 'array', items: { type: 'boolean' } }, [2, 629145]],
    ['list with a negative bound', { type: 'array', maxItems: -1, items: { type: 'boolean' } }, [2, 0]],
    ['map', { type: 'object', additionalProperties: { type: 'integer' } }, [2, 449389]],
    ['object', { type: 'object', required: ['a', 'b'], properties: { a: { type: 'string' }, b: { type: 'string', default: '' } } }, [9, 0]],
    ['no type', { preserveUnknownFields: true }, undefined],
    ['list of no type', { type: 'array', items: { preserveUnknownFields: true } }, undefined],
  ])('are as expected for: %s', (_, fixture, expected) => {
    expect(bounds(fixture)).toEqual(expected);
  });

  it('depend on the maxLength of an int-or-string only since 1.34', () => {
    expect(bounds({ intOrString: true, maxLength: 3 }, '1.33')).toEqual([1, 3145726]);
  });
});

describe('the type of a resource', () => {
  const name = (minor: '1.36' | '1.37', fixture: SchemaFixture = { type: 'object' }) => {
    const declared = declareType(schemaOf(fixture), 'resource', minor);
    const metadata = declared?.kind === 'object' ? declared.fields.get('metadata') : undefined;
    return metadata?.kind === 'object' ? metadata.fields.get('name')?.maxElements : undefined;
  };

  it('has a field metadata.name, whose length is limited since 1.37', () => {
    expect(name('1.36')).toBe(3145726);
    expect(name('1.37')).toBe(1012);
  });

  it('has the fields of the schema if the schema declares all fields of a resource', () => {
    const text = { type: 'string' };
    const metadata = { type: 'object', properties: { name: text, generateName: text } };
    expect(name('1.37', { type: 'object', properties: { kind: text, apiVersion: text, metadata } })).toBe(3145726);
  });
});
