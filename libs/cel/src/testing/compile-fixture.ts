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

/** Returns the declared type of a fixture. The type is created once for each fixture. */
export function declaredOf(fixture: SchemaFixture): DeclaredType {
  const declared = known.get(fixture) ?? declareType(schemaOf(fixture), false, LATEST_MINOR)!;
  known.set(fixture, declared);
  return declared;
}

/** Options of compiling a fixture that replace the defaults. The engine is given by its name. */
export interface FixtureOptions extends Partial<Omit<CompileOptions, 'engine'>> {
  readonly engine?: EngineName;
}

/**
 * Compiles an expression against a schema. By default, the expression is treated as a stored expression of the latest Kubernetes minor
 * version.
 */
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
