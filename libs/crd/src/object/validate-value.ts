import type { EngineChoice } from '#cel';
import { OBJECT_BUDGET, PER_CALL_LIMIT } from '#kube';
import type { JsonValue } from '#go';
import type { FieldError, Minor } from '#kube';
import { Correlation } from './correlate.ts';
import { behaviourOf, showsScalars } from '../minors/validation-behaviour.ts';
import { compileValidator } from './openapi/compile-validator.ts';
import { compileRules } from '../rules/compile-rules.ts';
import { evaluateRules } from '../rules/evaluate-rules.ts';
import { decodeSchema, SchemaDecoder } from '../schema/decode-schema.ts';
import { KEYWORDS } from '../keywords/all.ts';
import { toStructural } from '../structural/from-schema.ts';
import { validateListTypes } from './write/list-types.ts';
import { Polls } from './write/polls.ts';

/** Value to be validated against a schema, its old value, and options. */
export interface ValueWrite {
  readonly minor: Minor;
  /** True if the schema describes a whole resource, so that its rules can read the metadata. */
  readonly resourceRoot: boolean;
  readonly value: JsonValue;
  readonly oldValue: JsonValue | undefined;
  /**
   * True if only the rules are evaluated. Schema keywords and list types are not checked, and a rule that fails is an error even if the
   * value is unchanged.
   */
  readonly rulesOnly?: boolean;
  /**
   * Cost limit of one CEL expression, in cost units. `budget` is the limit of all CEL expressions together. Both have the defaults of
   * `ValidationOptions`.
   */
  readonly costLimit?: number | undefined;
  readonly budget?: number | undefined;
  /** Engine that evaluates the rules. Default: the interpreter. */
  readonly engine?: EngineChoice | undefined;
}

/**
 * Errors of a value and the cost of its rules, or the reason why the schema is invalid. `celCost` is in cost units, and is -1 if a cost
 * limit stopped the evaluation.
 */
export type ValueAnswer =
  | { readonly ok: true; readonly errors: readonly FieldError[]; readonly celCost: number }
  | { readonly ok: false; readonly error: string };

/**
 * Validates one value against one schema that belongs to no definition. Always evaluates OpenAPI keywords, list types and rules, even after
 * an error. Ignores metadata, and does not default or prune the value.
 */
export function validateValue(schemaDocument: JsonValue, write: ValueWrite): ValueAnswer {
  const decoder = new SchemaDecoder('JSONSchemaProps', { vocabulary: KEYWORDS });
  const schema = decodeSchema(decoder, schemaDocument, '');
  const error = decoder.firstError(schemaDocument);
  if (schema === undefined || error !== undefined) return { ok: false, error: error ?? 'the schema is missing' };
  const converted = toStructural(schema);
  if (!converted.ok) return converted;
  const { structural } = converted;
  const { minor, value, oldValue, rulesOnly = false } = write;
  const polls = new Polls(undefined);
  const correlation = oldValue === undefined || rulesOnly ? undefined : new Correlation(value, oldValue, structural);
  const errors = rulesOnly ? [] : compileValidator(schema, behaviourOf(minor)).validate(value, { correlation, polls });
  if (!rulesOnly && (oldValue === undefined || validateListTypes(oldValue, structural, polls).length === 0)) {
    errors.push(...validateListTypes(value, structural, polls));
  }
  const rules = compileRules(structural, write.resourceRoot ? 'resource' : 'value', minor, write.engine);
  if (rules === undefined) return { ok: true, errors, celCost: 0 };
  const budget = write.budget ?? OBJECT_BUDGET;
  const result = evaluateRules(rules, value, oldValue, {
    path: undefined,
    costLimit: write.costLimit ?? PER_CALL_LIMIT,
    budget,
    token: undefined,
    correlation,
    explain: false,
    observer: undefined,
    showsScalars: showsScalars(minor),
    warn: () => undefined,
  });
  errors.push(...result.errors);
  return { ok: true, errors, celCost: result.remaining < 0 ? -1 : budget - result.remaining };
}
