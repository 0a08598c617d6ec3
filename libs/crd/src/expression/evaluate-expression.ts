import {
  compileExpression,
  declareType,
  environmentFor,
  expressionsHave,
  typeText,
  withTypeAndObjectMeta,
  wrapValue,
  compileProgram,
  EMPTY_SCHEMA,
} from '#cel';
import type { EngineChoice, Program } from '#cel';
import { isJsonObject } from '#go';
import type { CancellationToken, JsonValue } from '#go';
import type { Minor } from '#kube';
import type { CompiledDefinition } from '../definition/compile-definition.ts';
import type { ServedVersion } from '../object/served-version.ts';
import { coerceObject } from '../object/write/coerce-object.ts';
import { decodeBody } from '../object/write/decode-body.ts';
import type { Structural } from '../structural/structural.ts';
import { TracedEvaluation } from './traced-evaluation.ts';
import type { ExpressionTrace } from './traced-evaluation.ts';

/** Expression to be evaluated on an object, as a rule of the object's definition would be. */
export interface ExpressionQuestion {
  readonly expression: string;
  /** Version whose schema is used. The default is the storage version. */
  readonly version: string | undefined;
  /** Path of `self`, such as `spec.rules[0]`; empty for the whole object. */
  readonly path: string;
  /** Object on which the expression is evaluated; undefined if the expression is only compiled. */
  readonly object: { readonly bytes: Uint8Array; readonly contentType: string } | undefined;
  readonly engine: EngineChoice | undefined;
  readonly token: CancellationToken;
  /** True if the answer also contains the engines that evaluate the expression. */
  readonly traces?: boolean;
}

/** Value of an expression, or the error of its evaluation. `cost` is in CEL cost units. */
export type ExpressionResult =
  | { readonly ok: true; /** As JSON text. */ readonly value: string; readonly cost: number; readonly engine?: TracedEngine }
  | { readonly ok: false; readonly error: string; /** Cost up to the error. */ readonly cost?: number; readonly engine?: TracedEngine };

/** Engine that evaluated an expression; absent if the question asks for no trace, or if the expression was not evaluated. */
type TracedEngine = Program['engine'] | undefined;

/**
 * Answer to a question about an expression: its type, its costs and its problems. `result` is set if the question includes an object on
 * which the expression is evaluated, or no definition.
 */
export type ExpressionAnswer =
  /** `error` is the server's error message. A caret below the expression marks the position at which it does not compile. */
  | { readonly ok: false; readonly error: string }
  | {
      readonly ok: true;
      /** Version of the definition; absent without a definition. */
      readonly version?: string;
      readonly type: string;
      /**
       * Estimated cost of the most expensive evaluation, a uint64 in decimal digits. If the expression is a rule, the sizes of lists and
       * maps around `self` multiply this cost.
       */
      readonly estimate: string;
      readonly result?: ExpressionResult;
      /** Present if the question asks for a trace. */
      readonly trace?: ExpressionTrace;
    };

/**
 * Compiles an expression as a new rule at a node of a definition's schema, and evaluates it on an object after pruning and defaulting. The
 * expression may have any type, whereas a rule must be a bool. Throws `Cancelled` if the token is cancelled.
 */
export function evaluateExpression(definition: CompiledDefinition, question: ExpressionQuestion): ExpressionAnswer {
  const { expression, engine } = question;
  const name = question.version ?? definition.storageVersion;
  const served = definition.serve(name);
  if (served === undefined) return failed(`the definition serves no version "${name}", only ${definition.versions.join(', ')}`);
  if (!served.ok) return failed(served.error);
  const steps = stepsOf(question.path);
  if (steps === undefined) return failed(`"${question.path}" is no path, such as spec.rules[0].name`);
  const { version } = served;
  const schema = schemaAt(version.structural, steps);
  if (schema === undefined) return failed(`the schema of ${version.apiVersion} has no ${question.path}`);
  const { minor } = definition;
  const isResource = steps.length === 0 || schema.embeddedResource;
  const self = declareType(schema, isResource ? 'resource' : 'value', minor);
  if (self === undefined) return failed('failed to convert to declType for CEL validation rules');
  const environment = environmentFor(minor, 'new');
  const compiled = compileExpression(expression, { self, oldSelf: 'plain', environment, expect: 'any', engine });
  if (!compiled.ok) return failed(compiled.error);
  const evaluation = new TracedEvaluation(compiled.program);
  const resultOf = (object: ReadObject | undefined): ExpressionResult | undefined => {
    if (object?.ok !== true) return object;
    const value = valueAt(object.value, steps);
    if (value === undefined) return { ok: false, error: `the object has no ${question.path}` };
    const valueSchema = isResource ? (withTypeAndObjectMeta(schema, expressionsHave(minor, 'namesAreCapped')) as Structural) : schema;
    const variables = { self: wrapValue(value, valueSchema) };
    return evaluation.run(variables, question);
  };
  const result = resultOf(readObject(version, question));
  return {
    ok: true,
    version: name,
    type: typeText(compiled.outputType, environment.semantics),
    estimate: String(compiled.maxCost),
    ...(result && { result }),
    ...(question.traces === true && { trace: evaluation.trace }),
  };
}

const failed = (error: string): ExpressionAnswer => ({ ok: false, error });

/**
 * Parses a path such as `spec.rules[0].name` into steps. `[]` and `[*]` mean the first element. Returns undefined if the text is no path.
 */
function stepsOf(path: string): (string | number)[] | undefined {
  const text = path.replace(/^(self)?\.?/, '');
  if (text === '') return [];
  if (!/^[^.[\]]+(\.[^.[\]]+|\[(\d+|\*)?\])*$/.test(text)) return undefined;
  return [...text.matchAll(/\[(\d+|\*)?\]|[^.[\]]+/g)].map(([step, index]) => (step.startsWith('[') ? Number(index ?? 0) || 0 : step));
}

function schemaAt(root: Structural, steps: readonly (string | number)[]): Structural | undefined {
  let schema: Structural | undefined = root;
  for (const step of steps)
    schema = typeof step === 'number' ? schema?.items : (schema?.properties?.get(step) ?? schema?.additionalProperties);
  return schema;
}

function valueAt(root: JsonValue, steps: readonly (string | number)[]): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const step of steps) {
    if (typeof step === 'number') value = Array.isArray(value) ? value[step] : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

type ReadObject = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly error: string };

/** Decodes the object in the form that rules read: pruned and defaulted. */
function readObject(version: ServedVersion, { object, token }: ExpressionQuestion): ReadObject | undefined {
  if (object === undefined) return undefined;
  const reading = decodeBody(object.bytes, object.contentType, version, { token, lenient: true });
  if (!reading.ok) return { ok: false, error: reading.status.message };
  const { apiVersion, kind } = reading.object;
  if (apiVersion !== version.apiVersion || kind !== version.kind)
    return { ok: false, error: `the object is of ${String(apiVersion)} ${String(kind)}, not of ${version.apiVersion} ${version.kind}` };
  const coerced = coerceObject(reading.object, version, 'request');
  return coerced.ok ? { ok: true, value: reading.object } : coerced;
}

/** Expression that is evaluated without a definition. */
export interface BareExpression {
  readonly expression: string;
  /** Kubernetes minor version whose libraries and costs are used. */
  readonly minor: Minor;
  readonly engine: EngineChoice | undefined;
  readonly token: CancellationToken;
  /** True if the answer also contains the engines that evaluate the expression. */
  readonly traces?: boolean;
}

const WORDS = { compile: 'compilation failed: ', resultType: () => '', program: 'program instantiation failed: ' } as const;

/**
 * Evaluates an expression that reads no object: it has the libraries of a rule, but neither `self` nor `oldSelf`. Throws `Cancelled` if the
 * token is cancelled.
 */
export function evaluateBareExpression({ expression, minor, engine, token, traces }: BareExpression): ExpressionAnswer {
  const environment = environmentFor(minor, 'new');
  const compiled = compileProgram(expression, { variables: new Map(), environment, results: undefined, messages: WORDS, engine });
  if (!compiled.ok) return { ok: false, error: compiled.error };
  const self = declareType({ ...EMPTY_SCHEMA, type: 'object' }, 'value', minor);
  // Only rules have cost estimates. So the estimate is that of a rule with the same text, which does not read `self`.
  const rule = self && compileExpression(expression, { self, oldSelf: 'plain', environment, expect: 'any', engine });
  const evaluation = new TracedEvaluation(compiled.program);
  const result = evaluation.run({}, { token, ...(traces === true && { traces }) });
  return {
    ok: true,
    type: typeText(compiled.outputType, environment.semantics),
    estimate: String(rule?.ok === true ? rule.maxCost : 0n),
    result,
    ...(traces === true && { trace: evaluation.trace }),
  };
}
