import { LATEST_MINOR } from '#kube';
import { nodeEngine } from '#runner/linker';
import type { EngineName } from '#runner/linker';
import { compileExpression } from '../compile-rule.ts';
import type { CompiledExpression, CompileOptions } from '../compile-rule.ts';
import { generate } from '../engines/codegen/generate.ts';
import type { Generated } from '../engines/codegen/generate.ts';
import { environmentFor } from '../language/environment.ts';
import { declareType } from '../values/schema/declare-type.ts';
import type { DeclaredType } from '../values/schema/declared-type.ts';
import { EMPTY_SCHEMA } from '../values/schema/value-schema.ts';
import type { ValueSchema } from '../values/schema/value-schema.ts';

const known = new WeakMap<SchemaFixture, DeclaredType>();

/** Returns the declared type of a fixture. The type is created once for each fixture. */
export function declaredOf(fixture: SchemaFixture): DeclaredType {
  const declared = known.get(fixture) ?? declareType(schemaOf(fixture), 'value', LATEST_MINOR)!;
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

/** Schema in the short form that specs write. Only the necessary properties are given, and `properties` is a plain object. */
export interface SchemaFixture extends Partial<Omit<ValueSchema, 'properties' | 'items' | 'additionalProperties'>> {
  readonly properties?: Readonly<Record<string, SchemaFixture>>;
  readonly items?: SchemaFixture;
  readonly additionalProperties?: SchemaFixture;
}

/** Returns the complete schema that a fixture describes. */
export function schemaOf({ properties, items, additionalProperties, ...rest }: SchemaFixture): ValueSchema {
  return {
    ...EMPTY_SCHEMA,
    ...rest,
    properties: properties && new Map(Object.entries(properties).map(([name, property]) => [name, schemaOf(property)])),
    items: items && schemaOf(items),
    additionalProperties: additionalProperties && schemaOf(additionalProperties),
  };
}

/** Returns the code that is generated for an expression. */
export function generateFor(text: string, fixture: SchemaFixture): Generated {
  const compiled = compile(text, fixture, { engine: 'interpreted' });
  if (!compiled.ok) throw new Error(compiled.error);
  return generate(compiled.checked, environmentFor(LATEST_MINOR, 'stored'), { kind: 'rule', self: declaredOf(fixture) });
}
