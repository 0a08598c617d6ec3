import { LATEST_MINOR } from '#kube';
import { nodeEngine } from '#runner/linker';
import type { EngineName } from '#runner/linker';
import { compileExpression } from '../compile-rule.ts';
import { environmentFor } from '../language/kubernetes-environment.ts';
import { declareType } from '../values/schema/declare-type.ts';
import { schemaOf } from './schema-fixture.ts';
import type { CompiledExpression, CompileOptions } from '../compile-rule.ts';
import type { DeclaredType } from '../values/schema/declared-type.ts';
import type { SchemaFixture } from './schema-fixture.ts';

const known = new WeakMap<SchemaFixture, DeclaredType>();

/** Returns the type of a fixture, made once for each. */
export function declaredOf(fixture: SchemaFixture): DeclaredType {
  const declared = known.get(fixture) ?? declareType(schemaOf(fixture), false, LATEST_MINOR)!;
  known.set(fixture, declared);
  return declared;
}

/** Differences from the usual compilation of a fixture; engines by their names. */
export interface FixtureOptions extends Partial<Omit<CompileOptions, 'engine'>> {
  readonly engine?: EngineName;
}

/** Compiles an expression against a schema, as stored expressions of the latest minor are unless told otherwise. */
export function compile(
  text: string,
  fixture: SchemaFixture,
  { engine = 'adaptive', ...options }: FixtureOptions = {},
): CompiledExpression {
  return compileExpression(text, {
    self: declaredOf(fixture),
    oldSelf: 'plain',
    environment: environmentFor(LATEST_MINOR, 'stored'),
    expect: 'any',
    engine: nodeEngine(engine),
    ...options,
  });
}
