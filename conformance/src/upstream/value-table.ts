import { isJsonObject } from '#go';
import { LATEST_MINOR } from '#kube';
import { CelError, wrapValue } from '#cel';
import type { JsonObject, JsonValue } from '#go';
import type { CelValue } from '#cel';
import { makeEnvironment } from '../../../libs/cel/src/language/environment.ts';
import { FUNCTIONS } from '../../../libs/cel/src/library/all.ts';
import { equalValues } from '../../../libs/cel/src/values/equality.ts';
import { EvaluationContext } from '../../../libs/cel/src/values/evaluation-context.ts';
import { semanticsOf } from '../../../libs/cel/src/values/semantics.ts';
import { escapeFieldName, unescapeFieldName } from '../../../libs/cel/src/values/schema/field-name.ts';
import { readType } from '../cel/read-type.ts';
import { valueSchemaOf } from '../cel/value-schema.ts';
import type { JudgingEngine } from '../judging-engine.ts';
import type { UpstreamAnswer, UpstreamJudge } from '../upstream-answer.ts';
import { AGREE, compareRun, differ, skip, textOrEmpty } from './compare-run.ts';
import { runExpression } from './run-expression.ts';

const CONTEXT = new EvaluationContext(semanticsOf(LATEST_MINOR));

/** Compares Assay's results with lines of the table `values`: equality and `+` of values that have schemas, and escaping of names. */
export const judgeValues: UpstreamJudge = (line, engine) => {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the record names the function
  switch (line['function']) {
    case 'equal':
      return judgeEqual(line);
    case 'expression':
      return judgeValueExpression(line, engine);
    case 'escape':
      return compareName(line, escapeFieldName(textOrEmpty(line['name'])));
    case 'unescape':
      return compareName(line, unescapeFieldName(textOrEmpty(line['name'])));
    default:
      return skip('correlation of old and new values is not CEL');
  }
};

function wrapped(recorded: JsonValue | undefined): CelValue {
  const { schema, value } = recorded as JsonObject;
  return wrapValue(value as JsonValue, valueSchemaOf(schema as JsonObject));
}

function judgeEqual(line: JsonObject): UpstreamAnswer {
  const [left, right] = [wrapped(line['left']), wrapped(line['right'])];
  const ours = [equalValues(CONTEXT, left, right), equalValues(CONTEXT, right, left)].map((same) =>
    same instanceof CelError ? same.message : String(same),
  );
  const golden = [line['equal'], line['equalReversed']].map((same) => (isJsonObject(same) ? textOrEmpty(same['$error']) : String(same)));
  return ours.join() === golden.join() ? AGREE : differ('equality', golden.join(), ours.join());
}

function compareName(line: JsonObject, ours: string | undefined): UpstreamAnswer {
  const golden = line['ok'] === true ? textOrEmpty(line['result']) : undefined;
  return ours === golden ? AGREE : differ('name', String(golden), String(ours));
}

function judgeValueExpression(line: JsonObject, engine: JudgingEngine): UpstreamAnswer {
  const recorded = line['variables'] as JsonObject;
  if (/nil_/.test(textOrEmpty(line['expression']))) return skip('a nil of Go, which is no value');
  const values = Object.fromEntries(Object.entries(recorded).map(([name, value]) => [name, wrapped(value)]));
  const types = new Map(Object.keys(recorded).map((name) => [name, readType('dyn')]));
  const environment = makeEnvironment(FUNCTIONS, LATEST_MINOR, 'stored');
  const run = runExpression({
    text: textOrEmpty(line['expression']),
    environment,
    types,
    values,
    folds: false,
    costLimit: Infinity,
    engine,
  });
  return compareRun(run, { result: line['result'], error: line['error'], cost: undefined });
}
