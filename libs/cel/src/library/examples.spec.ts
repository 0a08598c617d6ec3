import { MINORS } from '#kube';
import { describe, expect, it } from 'vitest';
import { compileExpression } from '../compile-rule.ts';
import { makeEnvironment } from '../language/environment.ts';
import { EMPTY_SCHEMA } from '../values/schema/value-schema.ts';
import { CelError } from '../values/value.ts';
import { DYN } from '../values/types/type.ts';
import type { DeclaredType } from '../values/schema/declared-type.ts';
import { FUNCTIONS } from './all.ts';
import { JSON_PATCH_FUNCTIONS } from './kubernetes/json-patch.ts';

const ALL = [...FUNCTIONS, ...JSON_PATCH_FUNCTIONS];
const environment = makeEnvironment(ALL, MINORS.at(-1)!, 'stored');
const self: DeclaredType = { kind: 'scalar', type: DYN, schema: EMPTY_SCHEMA, minSerializedSize: 1, maxElements: 0 };

function evaluate(text: string): unknown {
  const compiled = compileExpression(text, { self, oldSelf: 'plain', environment, expect: 'any' });
  if (!compiled.ok) return compiled.error;
  const { value } = compiled.program.evaluate({ self: null }, { costLimit: 1e6, token: undefined });
  return value instanceof CelError ? value.message : value;
}

describe('examples of functions', () => {
  const shown = ALL.flatMap(({ name, examples }) =>
    examples.map((example) => [name, typeof example === 'string' ? example : `(${example[0]}) == (${example[1]})`] as const),
  );
  it.each(shown)('%s: %s', (_name, text) => {
    expect(evaluate(text)).toBe(true);
  });
});
