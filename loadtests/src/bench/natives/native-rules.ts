import { compileStoredDefinition, loneRules } from '#crd';
import type { LoneRule } from '#crd';
import type { JsonValue } from '#go';
import { LATEST_MINOR } from '#kube';
import { nodeEngine } from '#runner/linker';
import type { EngineName } from '#runner/linker';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { parsed } from '../../workloads/judging.ts';
import { LIBRARY_CASES } from './library-cases.ts';
import { LIST_CASES } from './list-cases.ts';
import { NATIVE_SCHEMA } from './native-case.ts';
import type { NativeCase } from './native-case.ts';
import { TEXT_CASES } from './text-cases.ts';

/** Cases for all functions of CEL whose work grows with their data. */
export const NATIVE_CASES: readonly NativeCase[] = [...TEXT_CASES, ...LIST_CASES, ...LIBRARY_CASES];

/** Returns the name of a case: its first overload, and the kind of its data. */
export const nameOf = ({ overloads: [first = ''], data }: NativeCase): string => (data === undefined ? first : `${first}, ${data}`);

/** Returns the schema of `self` with the rule of a case. */
export const ruledSchema = ({ rule }: NativeCase): object => ({ ...NATIVE_SCHEMA, 'x-kubernetes-validations': [{ rule }] });

/** Compiles the rule of a case. Throws if it does not compile. */
export const ruleOf = (one: NativeCase, engine: EngineName): LoneRule => schemaRule(ruledSchema(one), engine);

/** Compiles the rule at the root of a schema. Throws if it does not compile. */
export function schemaRule(schema: object, engine: EngineName): LoneRule {
  const document = customDefinition({ kind: 'Timed', schema: { type: 'object', properties: { spec: schema } } });
  const outcome = compileStoredDefinition(parsed(document), { minor: LATEST_MINOR, engine: nodeEngine(engine) });
  const served = outcome.ok ? outcome.definition.serve('v1') : undefined;
  const [lone] = served?.ok === true ? loneRules(served.version) : [];
  if (lone?.rule.program === undefined) throw new Error(`a schema of the bench does not compile: ${JSON.stringify(schema).slice(0, 200)}`);
  return lone;
}

/** Returns a new value for the rule of a case, read from JSON. */
export const selfOf = (one: NativeCase): JsonValue => parsed({ self: one.value() })['self'] as JsonValue;
