import { CancellationFlag, isJsonObject, utf8Bytes, writeJson } from '#go';
import { fieldErrorText, LATEST_MINOR } from '#kube';
import type { JsonObject } from '#go';
import { describe, expect, it } from 'vitest';
import { NODE_ENGINE } from '#runner/linker';
import { compileDefinition } from '../definition/compile-definition.ts';
import type { CompiledDefinition } from '../definition/compile-definition.ts';
import { definitionOfSchema, widget, widgetDefinition, widgetNamed } from '../testing/definition-fixture.ts';
import { widgetText, widgetWithSpec, widgetWrite } from '../testing/judged-widgets.ts';
import { verdictText } from '../testing/outcomes.ts';
import { validateObject, validateWithTimings } from './validate-object.ts';
import type { ObjectWrite, ValidationOptions } from '../verdict.ts';

function compiled(document: JsonObject): CompiledDefinition {
  const outcome = compileDefinition(document, { minor: LATEST_MINOR, engine: NODE_ENGINE });
  if (!outcome.ok) throw new Error(outcome.status.message);
  return outcome.definition;
}

function judge(definition: CompiledDefinition, write: Partial<ObjectWrite> & Pick<ObjectWrite, 'body'>, options?: ValidationOptions) {
  const verdict = validateObject(definition, { operation: 'CREATE', fieldValidation: 'Warn', ...write }, options);
  if ('cancelled' in verdict) throw new Error('cancelled');
  return verdict;
}

/** Validates a widget, and returns its stored spec or its errors as text. */
function outcome(definition: CompiledDefinition, spec: unknown): string {
  const verdict = judge(definition, { body: widget(spec) });
  if (!verdict.accepted) return verdict.errors.map(fieldErrorText).join('\n');
  return writeJson(isJsonObject(verdict.object) ? (verdict.object['spec'] ?? null) : null);
}

const SIZES = widgetDefinition({
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 10 },
    mode: { type: 'string', enum: ['fast', 'slow'], default: 'slow' },
    tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
  },
  'x-kubernetes-validations': [
    { rule: 'self.mode != "fast" || self.size > 5', message: 'fast widgets are big' },
    { rule: 'self.size >= oldSelf.size', messageExpression: 'self.mode + " widgets never shrink"', fieldPath: '.size' },
  ],
});

describe('writes of objects', () => {
  const definition = compiled(SIZES);

  it('applies defaults and drops unknown fields with a warning', () => {
    const verdict = judge(definition, { body: widget({ size: 3, nope: 1 }) });
    expect(verdict.accepted).toBe(true);
    expect(verdict.warnings).toEqual(['unknown field "spec.nope"']);
    expect(outcome(definition, { size: 3, nope: 1 })).toBe('{"mode":"slow","size":3}');
  });

  it('accepts an update of an object that was stored by hand without a namespace', () => {
    const impossible = compiled(definitionOfSchema({ type: 'object', properties: { spec: { type: 'object' } }, enum: [{}] }));
    for (const namespace of ['', 7, null]) {
      const metadata = { name: 'one', namespace, clusterName: 0.5 };
      const verdict = judge(impossible, { body: widget({}), operation: 'UPDATE', oldObject: widgetNamed(metadata) });
      expect(!verdict.accepted && verdict.status.message).toContain('"namespace":"default"');
    }
  });

  it('rejects unknown and duplicate fields in strict mode', () => {
    const body = '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"one"},"spec":{"size":3,"size":4,"nope":1}}';
    const verdict = judge(definition, { body, fieldValidation: 'Strict' });
    expect(!verdict.accepted && verdict.status.message).toBe(
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: duplicate field "spec.size", unknown field "spec.nope"',
    );
  });

  it.each([
    [
      {},
      'spec.size: Required value\n<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ],
    [{ size: 11 }, 'spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10'],
    [{ size: 3, tags: ['a', 'a'] }, 'spec.tags[1]: Duplicate value: "a"'],
    [{ size: 3, mode: 'fast' }, 'spec: Invalid value: fast widgets are big'],
  ])('rejects %j', (spec, errors) => {
    expect(outcome(definition, spec)).toBe(errors);
  });

  it('accepts unchanged invalid values on an update', () => {
    const oldObject = widget({ size: 7, tags: ['a'] });
    const shrunk = judge(definition, { operation: 'UPDATE', body: widget({ size: 6, tags: ['a'] }), oldObject });
    expect(!shrunk.accepted && shrunk.errors.map(fieldErrorText)).toEqual(['spec.size: Invalid value: slow widgets never shrink']);
    const invalid = widget({ size: 99 });
    const untouched = judge(definition, { operation: 'UPDATE', body: widget({ size: 99, tags: ['x'] }), oldObject: invalid });
    expect(untouched.accepted).toBe(true);
  });

  it('ignores the status in ordinary writes, and writes it through its subresource', () => {
    const created = judge(definition, { body: widget({ size: 1 }, { status: { count: 1 } }) });
    expect(created.accepted && writeJson(created.object)).not.toContain('status');
    const oldObject = widget({ size: 1 });
    const body = widget({ size: 2 }, { status: { count: 5 } });
    const updated = judge(definition, { operation: 'UPDATE', subresource: 'status', body, oldObject });
    expect(updated.accepted && writeJson(updated.object)).toContain('"spec":{"mode":"slow","size":1},"status":{"count":5}');
  });

  it('reports the cost of rules, and stops the rules at a budget', () => {
    const { cost } = judge(definition, { body: widget({ size: 3 }) }, { explain: true });
    expect(cost.cel).toBeGreaterThan(0);
    expect(cost.rules?.length).toBe(1);
    const stopped = judge(definition, { body: widget({ size: 3 }) }, { budget: 1 });
    expect(stopped.cost.cel).toBe(-1);
    expect(!stopped.accepted && stopped.errors[0]?.detail).toContain('running out of cost budget');
  });

  it('stops when the caller cancels the validation', () => {
    const token = new CancellationFlag();
    token.cancel();
    const body = widget({ size: 3, tags: Array.from({ length: 5000 }, (_, i) => `t${i}`) });
    expect(validateObject(definition, { operation: 'CREATE', fieldValidation: 'Warn', body }, { token })).toEqual({ cancelled: true });
  });
});

describe('validateObjectExactly', () => {
  it('measures the time of its steps, which a generated reader does not', () => {
    const definition = widgetWithSpec({ type: 'object', properties: { texts: { type: 'array', items: { type: 'string' } } } });
    const write = widgetWrite(utf8Bytes(widgetText(`"texts":["${'a'.repeat(5000)}"]`)));
    const [read, exact] = [validateObject(definition, write, { timings: true }), validateWithTimings(definition, write)];
    expect('cancelled' in read ? read : read.phases).toBeUndefined();
    expect('cancelled' in exact ? 0 : exact.phases.parse).toBeGreaterThan(0);
    expect(verdictText(exact)).toBe(verdictText(read));
  });

  it('measures no time for a write that is rejected before its first step', () => {
    const definition = widgetWithSpec({ type: 'object' });
    const verdict = validateWithTimings(definition, { ...widgetWrite(widgetText('')), version: 'v9' });
    expect(verdict).toMatchObject({ accepted: false, phases: { parse: 0, cel: 0 } });
  });
});

describe('a rule with a quantity outside the range that Go can hold', () => {
  const rule = { rule: 'quantity(self.a).add(1).isInteger()' };
  const amounts = compiled(
    widgetDefinition({ type: 'object', properties: { a: { type: 'string', maxLength: 40 } }, 'x-kubernetes-validations': [rule] }),
  );

  it('gives the status code 500 and a message for a number that is too large', () => {
    const verdict = judge(amounts, { body: widget({ a: '1e2147483647' }) });
    expect(verdict).toMatchObject({ accepted: false, status: { code: 500 } });
    expect(JSON.stringify(verdict)).toContain('a number in a rule is too large to be judged');
  });

  it('is evaluated with a very small number rounded up', () => {
    expect(outcome(amounts, { a: '1e-2147483647' })).toContain('failed rule');
  });
});
