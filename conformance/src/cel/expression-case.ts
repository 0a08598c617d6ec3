import { isJsonObject, newJsonObject } from '#go';
import { PER_CALL_LIMIT } from '#kube';
import { validateValue } from '#crd';
import {
  CelError,
  compileExpression,
  declareType,
  environmentFor,
  Optional,
  runtimeTypeName,
  typeOfValue,
  typeText,
  withTypeAndObjectMeta,
  wrapValue,
} from '#cel';
import type { JsonObject, JsonValue } from '#go';
import type { Minor } from '#kube';
import type { CelValue, CompiledExpression, CompileOptions, Evaluation, Program, ValueSchema, EngineChoice } from '#cel';
import { celJson } from './cel-json.ts';
import { valueSchemaOf } from './value-schema.ts';
import { CaseProblem, numberField } from '../case-context.ts';
import { errorJson, jsonObject, nonEmpty } from '../verdict-json.ts';
import type { CaseContext } from '../case-context.ts';
import type { VerdictObject } from '../canonical-text.ts';

/** Computes the verdict on an `expr` case: compiles one rule with a schema and evaluates it on one value. */
export function judgeExpression(testCase: JsonObject, { minor, engine }: CaseContext): VerdictObject {
  const schema = valueSchemaOf((testCase['schema'] as JsonObject | undefined) ?? objectSchema());
  const compiled = compileCase(testCase, schema, minor, engine);
  if (compiled.program === undefined || !('self' in testCase)) return { compile: compiled.verdict };
  const result = evaluateCase(testCase, schema, compiled.program, compiled.usesOldSelf, minor);
  if (compiled.verdict['ok'] !== true) return { compile: compiled.verdict, result };
  const { totalCost, ...verdict } = validateCase(testCase, minor, engine);
  return { compile: compiled.verdict, result: { ...result, totalCost }, ...verdict };
}

/** Fields of a validation rule that a case contains at its top level. */
const RULE_FIELDS = ['rule', 'messageExpression', 'optionalOldSelf', 'message', 'reason', 'fieldPath'] as const;

/** Validates the value of a case with the rule of the case as the only rule. Returns the verdict of the rule validator. */
function validateCase(
  testCase: JsonObject,
  minor: Minor,
  engine: EngineChoice | undefined,
): VerdictObject & { readonly totalCost: number } {
  const schema = withoutRules((testCase['schema'] as JsonObject | undefined) ?? objectSchema()) as JsonObject;
  schema['x-kubernetes-validations'] = [jsonObject(Object.fromEntries(RULE_FIELDS.map((field) => [field, testCase[field]])))];
  const answer = validateValue(schema, {
    minor,
    engine,
    resourceRoot: testCase['root'] === true,
    value: testCase['self'] ?? null,
    oldValue: testCase['oldSelf'],
    rulesOnly: true,
    costLimit: numberField(testCase, 'costLimit'),
    budget: numberField(testCase, 'budget'),
  });
  if (!answer.ok) throw new CaseProblem(answer.error);
  return { valid: answer.errors.length === 0, errors: nonEmpty(answer.errors.map(errorJson)), totalCost: answer.celCost };
}

/** Returns a copy of a schema, or of a part of it, from which all validation rules are removed. */
function withoutRules(node: JsonValue): JsonValue {
  if (Array.isArray(node)) return node.map(withoutRules);
  if (!isJsonObject(node)) return node;
  const kept = Object.entries(node).filter(([key, value]) => key !== 'x-kubernetes-validations' || !Array.isArray(value));
  return jsonObject(Object.fromEntries(kept.map(([key, value]) => [key, withoutRules(value)])));
}

function objectSchema(): JsonObject {
  const schema = newJsonObject();
  schema['type'] = 'object';
  return schema;
}

interface CompiledCase {
  readonly verdict: VerdictObject;
  readonly program: Program | undefined;
  readonly usesOldSelf: boolean;
}

function compileCase(testCase: JsonObject, schema: ValueSchema, minor: Minor, engine: EngineChoice | undefined): CompiledCase {
  const rule = textOf(testCase['rule']);
  if (rule.trim() === '') return { verdict: { ok: false, usesOldSelf: false }, program: undefined, usesOldSelf: false };
  const options = { ...compileOptions(testCase, schema, minor), engine };
  const asRule = compileExpression(rule, { ...options, expect: 'bool' });
  const freely = asRule.ok || testCase['anyType'] !== true ? asRule : compileExpression(rule, { ...options, expect: 'any' });
  const outputType = asRule.outputType === undefined ? undefined : typeText(asRule.outputType, options.environment.semantics);
  if (!asRule.ok) {
    const verdict = { ok: false, error: asRule.error, outputType, maxCost: freely.ok ? String(freely.maxCost) : undefined };
    const { usesOldSelf } = freely.ok ? freely : asRule;
    return { verdict: { ...verdict, usesOldSelf }, program: freely.ok ? freely.program : undefined, usesOldSelf };
  }
  const message = textOf(testCase['messageExpression']);
  const compiledMessage = message === '' ? undefined : compileExpression(message, { ...options, expect: 'string' });
  return {
    verdict: { ok: true, outputType, maxCost: String(asRule.maxCost), usesOldSelf: asRule.usesOldSelf, ...messageVerdict(compiledMessage) },
    program: asRule.program,
    usesOldSelf: asRule.usesOldSelf,
  };
}

/** Returns the options for compiling the rule of a case. */
export function compileOptions(testCase: JsonObject, schema: ValueSchema, minor: Minor): Omit<CompileOptions, 'expect'> {
  const self = declareType(schema, testCase['root'] === true ? 'resource' : 'value', minor);
  if (self === undefined) throw new Error('the schema has no CEL type');
  return {
    self,
    oldSelf: testCase['optionalOldSelf'] === true ? 'optional' : 'plain',
    environment: environmentFor(minor, testCase['stored'] === true ? 'stored' : 'new'),
  };
}

function messageVerdict(message: CompiledExpression | undefined): VerdictObject {
  if (message === undefined) return {};
  return message.ok ? { messageMaxCost: String(message.maxCost) } : { messageError: message.error };
}

function evaluateCase(testCase: JsonObject, schema: ValueSchema, program: Program, usesOldSelf: boolean, minor: Minor): VerdictObject {
  const result = runCase(testCase, schema, program, usesOldSelf);
  if (result === undefined) return { skipped: true };
  const { value, cost } = result;
  if (value instanceof CelError) return { error: value.message, cost };
  return { value: celJson(value), valueType: runtimeTypeName(typeOfValue(value), environmentFor(minor, 'stored').semantics), cost };
}

/**
 * Evaluates a program on the values `self` and `oldSelf` of a case. Returns undefined if `self` is missing, or if the rule needs an old
 * value that the case lacks.
 */
export function runCase(testCase: JsonObject, schema: ValueSchema, program: Program, usesOldSelf: boolean): Evaluation | undefined {
  const self = testCase['self'] ?? null;
  const oldSelf = testCase['oldSelf'] ?? null;
  const optional = testCase['optionalOldSelf'] === true;
  if (self === null || (usesOldSelf && oldSelf === null && !optional)) return undefined;
  const typed = testCase['root'] === true ? withTypeAndObjectMeta(schema) : schema;
  const wrap = (value: JsonValue): CelValue => wrapValue(value, typed);
  const old = oldSelf === null ? undefined : wrap(oldSelf);
  const variables = { self: wrap(self), oldSelf: optional ? new Optional(old) : old };
  const costLimit = Number(testCase['costLimit'] ?? PER_CALL_LIMIT);
  return program.evaluate(variables, { costLimit, token: undefined });
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
