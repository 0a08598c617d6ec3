import { isJsonObject } from '#go';
import { LATEST_MINOR } from '#kube';
import { compileExpression, declareType, environmentFor, Optional, withTypeAndObjectMeta, wrapValue } from '#cel';
import type { JsonObject, JsonValue } from '#go';
import { nodeEngine } from '#runner/linker';
import { valueSchemaOf } from '../cel/value-schema.ts';
import type { JudgingEngine } from '../judging-engine.ts';
import type { UpstreamJudge } from '../upstream-answer.ts';
import { AGREE, compareRun, skip, textOrEmpty } from './compare-run.ts';
import type { Run } from './run-expression.ts';

/**
 * Compares Assay's results with lines of the table `cel-validate`: the value or the error of each evaluation, and the cost of each
 * evaluation. Skips evaluations whose path does not lead to a value.
 */
export const judgeValidation: UpstreamJudge = (line, engine) => {
  if (line['unstable'] === true) return skip('depends on the order of a Go map');
  const evaluations = (line['evaluations'] ?? []) as JsonObject[];
  let judged = 0;
  for (const evaluation of evaluations) {
    const place = placeAt(line, textOrEmpty(evaluation['path']));
    const run = place === undefined ? undefined : runRule(line, evaluation, place, engine);
    if (run === undefined) continue;
    judged++;
    const answer = compareRun(run, { result: evaluation['result'], error: evaluation['error'], cost: evaluation['cost'] });
    if (answer.kind === 'differ') return { ...answer, golden: `${textOrEmpty(evaluation['expression'])}: ${answer.golden}` };
  }
  return judged === 0 ? skip('no evaluation with data of its own') : AGREE;
};

/** A node of a schema, with the value and the old value at the same field path. */
interface Place {
  readonly schema: JsonObject;
  readonly value: JsonValue;
  readonly oldValue: JsonValue | undefined;
  readonly isRoot: boolean;
}

/**
 * Returns the schema node and the value at `path`, starting at the root of the validation. Returns undefined if the path does not exist.
 * Also returns undefined if the path leads through list elements that would have to be correlated by keys.
 */
function placeAt(line: JsonObject, path: string): Place | undefined {
  const root = textOrEmpty(line['path']);
  const rest = path.startsWith(root) ? path.slice(root.length) : root === '<nil>' ? `.${path}` : undefined;
  if (rest === undefined) return undefined;
  let place: Place = {
    schema: line['schema'] as JsonObject,
    value: line['value'] ?? null,
    oldValue: line['oldValue'] ?? undefined,
    isRoot: line['isResourceRoot'] === true,
  };
  if (rest === '.<nil>') return place;
  for (const [, field, key] of rest.matchAll(/\.([^.[]+)|\[([^\]]*)\]/g)) {
    const next = childAt(place, field ?? key ?? '', field === undefined);
    if (next === undefined) return undefined;
    place = next;
  }
  return place;
}

function childAt({ schema, value, oldValue }: Place, key: string, bracketed: boolean): Place | undefined {
  const { items, properties, additionalProperties } = schema;
  if (bracketed && isJsonObject(items)) {
    const element = (value as JsonValue[])[Number(key)];
    return element === undefined || oldValue !== undefined
      ? undefined
      : { schema: items, value: element, oldValue: undefined, isRoot: false };
  }
  const child = isJsonObject(properties) ? properties[key] : additionalProperties;
  const own = isJsonObject(value) ? value[key] : undefined;
  if (!isJsonObject(child) || own === undefined) return undefined;
  return { schema: child, value: own, oldValue: isJsonObject(oldValue) ? (oldValue[key] ?? undefined) : undefined, isRoot: false };
}

function runRule(
  line: JsonObject,
  evaluation: JsonObject,
  { schema, value, oldValue, isRoot }: Place,
  engine: JudgingEngine,
): Run | undefined {
  const expression = textOrEmpty(evaluation['expression']);
  const rules = ((schema['x-kubernetes-validations'] ?? []) as JsonObject[]).filter(
    (rule) => textOrEmpty(rule[evaluation['kind'] === 'rule' ? 'rule' : 'messageExpression']).trim() === expression.trim(),
  );
  const optional = rules[0]?.['optionalOldSelf'] === true;
  const valueSchema = valueSchemaOf(schema);
  const self = declareType(valueSchema, isRoot ? 'resource' : 'value', LATEST_MINOR);
  if (rules.length !== 1 || self === undefined || (optional && evaluation['kind'] !== 'rule')) return undefined;
  const compiled = compileExpression(expression, {
    self,
    oldSelf: optional ? 'optional' : 'plain',
    environment: environmentFor(LATEST_MINOR, 'stored'),
    expect: evaluation['kind'] === 'rule' ? 'bool' : 'string',
    engine: nodeEngine(engine),
  });
  if (!compiled.ok) return { ok: false, error: compiled.error };
  const typed = isRoot ? withTypeAndObjectMeta(valueSchema) : valueSchema;
  const old = oldValue === undefined ? undefined : wrapValue(oldValue, typed);
  if (compiled.usesOldSelf && old === undefined && !optional) return undefined;
  const variables = { self: wrapValue(value, typed), oldSelf: optional ? new Optional(old) : old };
  return {
    ok: true,
    outputType: compiled.outputType,
    evaluation: compiled.program.evaluate(variables, { costLimit: Number(line['perCallLimit']), token: undefined }),
  };
}
