import { LATEST_MINOR } from '#kube';
import { compileExpression } from '../compile.ts';
import { environmentFor } from '../kubernetes-environment.ts';
import { declareType } from '../schema/declare-type.ts';
import { schemaOf } from './schema-fixture.ts';
import type { CompiledExpression, CompileOptions } from '../compile.ts';
import type { SchemaFixture } from './schema-fixture.ts';

/** Compiles an expression against a schema, as stored expressions of the latest minor are unless told otherwise. */
export function compile(text: string, fixture: SchemaFixture, options: Partial<CompileOptions> = {}): CompiledExpression {
  const self = declareType(schemaOf(fixture), false, LATEST_MINOR)!;
  return compileExpression(text, {
    self,
    oldSelf: 'plain',
    environment: environmentFor(LATEST_MINOR, 'stored'),
    expect: 'any',
    ...options,
  });
}
