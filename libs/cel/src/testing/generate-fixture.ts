import { LATEST_MINOR } from '#kube';
import { generate } from '../engines/codegen/generate.ts';
import { environmentFor } from '../language/kubernetes-environment.ts';
import { compile, declaredOf } from './compile-fixture.ts';
import type { Generated } from '../engines/codegen/generate.ts';
import type { SchemaFixture } from './schema-fixture.ts';

/** Returns the code that is generated for an expression. */
export function generateFor(text: string, fixture: SchemaFixture): Generated {
  const compiled = compile(text, fixture, { engine: 'interpreted' });
  if (!compiled.ok) throw new Error(compiled.error);
  return generate(compiled.checked, environmentFor(LATEST_MINOR, 'stored'), { kind: 'rule', self: declaredOf(fixture) });
}
