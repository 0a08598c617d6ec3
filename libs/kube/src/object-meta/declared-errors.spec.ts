import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#go';
import { fieldErrorText } from '../field-error.ts';
import type { Minor } from '../minors.ts';
import { checkDns1123Subdomain } from '../names.ts';
import { readObjectMeta } from './object-meta.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from './validate.ts';
import { metaWording } from './wording.ts';

const STORED = { name: 'a', resourceVersion: '1', uid: 'u', generation: 3 };

function errorsOf(minor: Minor, fields: object, old?: object): string[] {
  const rules = { namespaced: false, checkName: checkDns1123Subdomain, wording: metaWording(minor), distinct: true };
  const read = (json: object) => readObjectMeta(json as JsonObject);
  const errors =
    old === undefined
      ? validateObjectMeta(read({ ...STORED, ...fields }), rules, undefined)
      : validateObjectMetaUpdate(read({ ...STORED, ...fields }), read({ ...STORED, ...old }), rules, undefined);
  return errors.map(fieldErrorText);
}

describe('declarative validation of metadata (1.38)', () => {
  const owners = { ownerReferences: [{ apiVersion: 'v1', kind: '', name: 'n', uid: 'u' }] };

  it('reports no reason for a missing value', () => {
    expect(errorsOf('1.37', owners)).toEqual(['ownerReferences[0].kind: Required value: must not be empty']);
    expect(errorsOf('1.38', owners)).toEqual(['ownerReferences[0].kind: Required value']);
    expect(errorsOf('1.38', { managedFields: [{ manager: 'm', operation: '' }] })).toEqual(['managedFields[0].operation: Required value']);
  });

  it('reports its errors after the errors of the other checks', () => {
    expect(errorsOf('1.38', { ...owners, finalizers: ['/'] }).at(-1)).toBe('ownerReferences[0].kind: Required value');
  });

  it('does not show the value of an immutable field', () => {
    expect(errorsOf('1.37', { uid: 'v' }, {})).toEqual(['uid: Invalid value: "v": field is immutable']);
    expect(errorsOf('1.38', { uid: 'v' }, {})).toEqual(['uid: Invalid value: null: field is immutable']);
    expect(errorsOf('1.38', { name: 'b' }, {})).toEqual(['name: Invalid value: "b": field is immutable']);
  });

  it('skips unchanged fields of an update, which only the hand-written checks report', () => {
    expect(errorsOf('1.38', owners, owners)).toEqual(['ownerReferences[0].kind: Required value: must not be empty']);
  });

  it('forbids changes of the generation', () => {
    expect(errorsOf('1.37', { generation: 0 }, {})).toEqual(['generation: Invalid value: 0: must not be decremented']);
    expect(errorsOf('1.38', { generation: 0 }, {})).toEqual(['generation: Invalid value: 0: field cannot be cleared once set']);
    expect(errorsOf('1.38', { generation: 2 }, {})).toEqual(['generation: Invalid value: 2: must not be decremented']);
  });
});
