import { CancellationFlag, utf8Bytes } from '#go';
import { defaultGates, LATEST_MINOR } from '#kube';
import { nodeEngine } from '#runner/linker';
import { describe, expect, it } from 'vitest';
import { compileStoredDefinition } from '../definition/compile-definition.ts';
import { definitionOfSchema } from '../testing/definition-fixture.ts';
import { evaluateBareExpression, evaluateExpression } from './evaluate-expression.ts';
import type { ExpressionAnswer, ExpressionQuestion } from './evaluate-expression.ts';
import type { ExpressionTrace } from './traced-evaluation.ts';

const ids = { type: 'array', items: { type: 'integer' } };
const compiled = compileStoredDefinition(
  definitionOfSchema({ type: 'object', properties: { spec: { type: 'object', properties: { ids, text: { type: 'string' } } } } }),
  { minor: LATEST_MINOR, gates: defaultGates(LATEST_MINOR) },
);
if (!compiled.ok) throw new Error(compiled.status.message);
const { definition } = compiled;

const object = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'one' },
  spec: { ids: Array.from({ length: 700 }, () => 1), text: 'a' },
};
const BODY = { bytes: utf8Bytes(JSON.stringify(object)), contentType: 'application/json' };

const ADAPTIVE = nodeEngine('adaptive');
const FORBIDDEN: ExpressionQuestion['engine'] = {
  kind: 'adaptive',
  link: () => {
    throw new EvalError('forbidden');
  },
};
const CHEAP = 'self.ids[0] == 1';
const DEAR = 'self.ids.all(i, i > 0)';
const LONG = Array.from({ length: 200 }, (_, i) => `self.text != 'x${i}'`).join(' && ');
const LATER: ExpressionTrace = { engine: 'compiled', interpretedUnits: 3000 };

function answerTo(expression: string, more: Partial<ExpressionQuestion> = {}): Extract<ExpressionAnswer, { ok: true }> {
  const question = { expression, version: undefined, path: 'spec', object: BODY, engine: ADAPTIVE, token: new CancellationFlag() };
  const answer = evaluateExpression(definition, { ...question, traces: true, ...more });
  if (!answer.ok) throw new Error(answer.error);
  return answer;
}

describe('the trace of an evaluated expression', () => {
  it.each<[what: string, expression: string, engine: ExpressionQuestion['engine'], ran: string, trace: ExpressionTrace]>([
    ['is interpreted while it is cheap', CHEAP, ADAPTIVE, 'interpreted', LATER],
    ['runs generated code once it is expensive', DEAR, ADAPTIVE, 'compiled', LATER],
    ['is interpreted if it is too long', LONG, ADAPTIVE, 'interpreted', { engine: 'interpreted', obstacle: 'too long for the optimiser' }],
    [
      'is interpreted where code is forbidden, even if it is expensive',
      DEAR,
      FORBIDDEN,
      'interpreted',
      { engine: 'interpreted', obstacle: 'the host forbids code from strings' },
    ],
    ['is interpreted without a linker', DEAR, undefined, 'interpreted', { engine: 'interpreted', obstacle: 'no linker was handed in' }],
    ['is interpreted if that is wanted', DEAR, 'interpreted', 'interpreted', { engine: 'interpreted' }],
    ['runs generated code at once if that is wanted', CHEAP, nodeEngine('compiled'), 'compiled', { engine: 'compiled' }],
  ])('reports that the expression %s', (_, expression, engine, ran, trace) => {
    const answer = answerTo(expression, { engine });
    expect([answer.result?.engine, answer.trace]).toEqual([ran, trace]);
  });

  it('is present if no object is given; a failing evaluation names its engine', () => {
    expect(answerTo(CHEAP, { object: undefined })).toMatchObject({ trace: LATER });
    expect(answerTo('self.ids[700] == 1').result).toMatchObject({ ok: false, engine: 'interpreted' });
  });

  it('does not change the answer, and is absent unless the caller requests it', () => {
    for (const expression of [CHEAP, DEAR, LONG]) {
      const { trace, result, ...rest } = answerTo(expression);
      const { engine, ...value } = result ?? {};
      expect(answerTo(expression, { traces: false })).toEqual({ ...rest, result: value });
      expect([trace, engine]).not.toContain(undefined);
    }
  });

  it('is present for an expression that reads no object', () => {
    const bare = { expression: '[1, 2].all(i, i > 0)', minor: LATEST_MINOR, engine: ADAPTIVE, token: new CancellationFlag() };
    expect(evaluateBareExpression({ ...bare, traces: true })).toMatchObject({ trace: LATER, result: { engine: 'interpreted' } });
    expect(evaluateBareExpression(bare)).not.toHaveProperty('trace');
  });
});
