import { LATEST_MINOR } from '#kube';
import { CelError } from '#cel';
import type { JsonValue } from '#go';
import type { CelType } from '#cel';
import { makeEnvironment } from '../../../libs/cel/src/language/environment.ts';
import { FUNCTIONS } from '../../../libs/cel/src/library/all.ts';
import { readType } from '../cel/read-type.ts';
import type { UpstreamJudge } from '../upstream-answer.ts';
import { AGREE, compareRun, differ, skip, textOrEmpty, variablesOf } from './compare-run.ts';
import { valueText } from './recorded-value.ts';
import { runExpression } from './run-expression.ts';

const typesOf = (recorded: JsonValue | undefined): Map<string, CelType> =>
  new Map(Object.entries((recorded ?? {}) as Record<string, string>).map(([name, type]) => [name, readType(type)]));

/**
 * Compares Assay's results with lines of the table `cel-interpret`: results of single expressions that cel-go interprets without constant
 * folding.
 */
export const judgeInterpret: UpstreamJudge = (line, engine) => {
  if (line['checked'] !== true) return skip('not checked');
  if (textOrEmpty(line['container']) !== '' || line['abbreviations'] !== null || line['customAttributes'] === true)
    return skip('containers and attributes of the host');
  if ((line['customFunctions'] as JsonValue[]).length > 0) return skip('customFunctions');
  const types = typesOf(line['variables']);
  const values = variablesOf(line['input'], textOrEmpty(line['expression']));
  if (values === undefined || /google\.(?:expr|protobuf)/.test(JSON.stringify(line['variables']) + textOrEmpty(line['expression'])))
    return skip('protobuf');
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
};

/**
 * Compares Assay's results with the run-time part of the table `cel-cost`: cel-go's cost tracker, without constant folding and without the
 * function costs that Kubernetes adds.
 */
export const judgeRuntimeCost: UpstreamJudge = (line, engine) => {
  if (line['customOptions'] !== 0 && line['customOptions'] !== undefined) return skip('options that the table does not name');
  const values = variablesOf(line['input'], textOrEmpty(line['expression']));
  if (values === undefined || /google\.expr/.test(JSON.stringify(line['variables']))) return skip('protobuf');
  if (/\bhas\(/.test(textOrEmpty(line['expression'])) && line['presenceTestHasCost'] === true)
    return skip('Kubernetes does not charge presence tests');
  if (/getFullYear/.test(textOrEmpty(line['expression']))) return skip('a price that the test sets');
  const run = runExpression({
    text: textOrEmpty(line['expression']),
    environment: makeEnvironment(FUNCTIONS, LATEST_MINOR, 'stored'),
    types: typesOf(line['variables']),
    values,
    folds: line['optimized'] === true,
    costLimit: Number(line['limit'] ?? Infinity),
    engine,
  });
  if (!run.ok) return differ('compiles', 'yes', run.error);
  const { value, cost } = run.evaluation;
  if (line['error'] !== undefined) {
    const ours = value instanceof CelError ? value.message : valueText(value);
    return ours === line['error'] ? AGREE : differ('error text', textOrEmpty(line['error']), ours);
  }
  return String(line['cost']) === String(cost) ? AGREE : differ('cost', String(line['cost']), String(cost), { verdict: false });
};
