import { copyJson, writeJson } from '#go';
import { badRequestStatus, LATEST_MINOR } from '#kube';
import type { JsonObject } from '#go';
import { describe, expect, it } from 'vitest';
import { compileDefinition } from '../definition/compile-definition.ts';
import { widget, widgetDefinition } from '../testing/definition-fixture.ts';
import type { ObjectVerdict, ObjectWrite } from '../verdict.ts';
import { validateObject } from './validate-object.ts';
import type { AdmittedWrite, WriteAdmission } from './write-admission.ts';

const schema = {
  type: 'object',
  properties: { a: { type: 'string', maxLength: 3 }, b: { type: 'string', default: 'given' } },
};
const compiled = compileDefinition(widgetDefinition(schema), { minor: LATEST_MINOR });

/**
 * Returns an admission and the list of the requests that it received. The admission accepts every write, except in the methods that
 * `answers` replaces.
 */
function admissionOf(answers: Partial<WriteAdmission> = {}) {
  const requested: string[] = [];
  const note = (what: string, { operation, object, oldObject }: AdmittedWrite): void =>
    void requested.push(`${what} ${operation} ${writeJson(object['spec'] ?? null)} of ${writeJson(oldObject?.['spec'] ?? null)}`);
  const admission: WriteAdmission = {
    mutate: (write) => {
      note('mutate', write);
      return answers.mutate?.(write) ?? { object: write.object, refusal: undefined, warnings: [] };
    },
    validate: (write) => {
      note('validate', write);
      return answers.validate?.(write) ?? { refusal: undefined, warnings: [] };
    },
  };
  return { admission, requested };
}

function judge(
  write: Partial<ObjectWrite> & Pick<ObjectWrite, 'body'>,
  admission: WriteAdmission,
): Exclude<ObjectVerdict, { cancelled: true }> {
  if (!compiled.ok) throw new Error(compiled.status.message);
  const operation = write.oldObject === undefined ? 'CREATE' : 'UPDATE';
  const verdict = validateObject(compiled.definition, { operation, fieldValidation: 'Warn', ...write }, { admission });
  if ('cancelled' in verdict) throw new Error('cancelled');
  return verdict;
}

const withA = (object: JsonObject, a: string): JsonObject => Object.assign(copyJson(object), { spec: { a } });

describe('the admission of a write', () => {
  it('mutates the object after defaulting, and then validates the object that will be stored', () => {
    const { admission, requested } = admissionOf();
    expect(judge({ body: widget({ a: 'x' }), oldObject: widget({ a: 'o' }) }, admission).accepted).toBe(true);
    expect(judge({ body: widget({ a: 'y' }) }, admission).accepted).toBe(true);
    expect(requested).toEqual([
      'mutate UPDATE {"a":"x","b":"given"} of {"a":"o","b":"given"}',
      'validate UPDATE {"a":"x","b":"given"} of {"a":"o","b":"given"}',
      'mutate CREATE {"a":"y","b":"given"} of null',
      'validate CREATE {"a":"y","b":"given"} of null',
    ]);
  });

  it('changes the object that the schema validates and the server stores', () => {
    const { admission, requested } = admissionOf({
      mutate: ({ object }) => ({ object: withA(object, 'new'), refusal: undefined, warnings: ['w'] }),
    });
    expect(judge({ body: widget({ a: 'x' }) }, admission)).toMatchObject({
      accepted: true,
      object: { spec: { a: 'new' } },
      warnings: ['w'],
    });
    expect(requested[1]).toContain('validate CREATE {"a":"new"}');
    const long = admissionOf({ mutate: ({ object }) => ({ object: withA(object, 'longer'), refusal: undefined, warnings: [] }) });
    expect(judge({ body: widget({ a: 'x' }) }, long.admission)).toMatchObject({ accepted: false, status: { code: 422 } });
    // An object that the schema rejects is not validated by policies.
    expect(long.requested).toHaveLength(1);
  });

  it.each(['mutate', 'validate'] as const)('rejects the write in the step %s, with the warnings of this step', (step) => {
    const refusal = badRequestStatus('no');
    const refuse = ({ object }: AdmittedWrite) => ({ object, refusal, warnings: ['w'] });
    for (const oldObject of [undefined, widget({ a: 'o' })])
      expect(judge({ body: widget({ a: 'x' }), ...(oldObject && { oldObject }) }, admissionOf({ [step]: refuse }).admission)).toMatchObject(
        { accepted: false, status: refusal, warnings: ['w'] },
      );
  });
});
