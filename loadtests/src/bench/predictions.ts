import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerModel } from '#benchmark';
import { standaloneChart } from '#report/charts';
import { environment } from '../measure/environment.ts';
import { PROJECT, SHARED } from '../places.ts';
import type { BenchTable } from './bench-table.ts';
import { calibrationEvaluations } from './predictions/calibration-evaluations.ts';
import { fitNanoseconds } from './predictions/fit-model.ts';
import { heldOutEvaluations } from './predictions/held-out-rules.ts';
import { predictionChart } from './predictions/prediction-chart.ts';
import { timeEvaluations } from './predictions/rule-evaluations.ts';
import type { TimedEvaluation } from './predictions/rule-evaluations.ts';
import { checkFamilies, isGoodEnough } from './predictions/validate-model.ts';
import type { FamilyCheck } from './predictions/validate-model.ts';

const MODEL = join(PROJECT, 'libs/benchmark/src/prediction/server-model.json');
const CHART = join(PROJECT, 'docs/reports/predictions.svg');

/**
 * Fits the time that a server needs for each kind of evaluation step to the times that Go measures for rules. Validates the fit on rules of
 * real definitions. A full run stores the model and its chart for the product.
 */
export function benchPredictions(quick: boolean): BenchTable {
  const [calibration, heldOut] = [calibrationEvaluations(), heldOutEvaluations(quick)];
  const outcome = timeEvaluations([...calibration, ...heldOut], quick);
  if (typeof outcome === 'string') return { columns: [], rows: [], wanted: [], notes: [`Not measured: ${outcome}.`] };
  const { timed, leftOut } = outcome;
  const isFitted = new Set(calibration);
  const { fitted = [], checked = [] } = Object.groupBy(timed, ({ evaluation }) => (isFitted.has(evaluation) ? 'fitted' : 'checked'));
  const nanoseconds = fitNanoseconds(fitted.map(({ evaluation, reading }) => ({ amounts: evaluation.work.amounts, ns: reading.ns })));
  const validation = checkFamilies(checked, nanoseconds);
  const families = validation.filter(isGoodEnough).map(({ family }) => family);
  const model = { measured: circumstances(), families, nanoseconds, calibration: checkFamilies(fitted, nanoseconds), validation };
  if (!quick) keep(model, checked);
  return {
    columns: ['family', 'rules', 'evaluations', 'within a factor of 2', 'worst', 'steps not known', 'published'],
    rows: validation.map(familyRow),
    wanted: [],
    notes: [
      `${fitted.length} evaluations fit ${Object.keys(nanoseconds).length} kinds of steps.`,
      ...leftOut.map((text) => `Left out: ${text}`),
    ],
  };
}

function familyRow(check: FamilyCheck): string[] {
  const { family, rules, evaluations, within, worst, unknown } = check;
  const share = rules === 0 ? '' : `${Math.round((100 * within) / rules)} %`;
  return [family, String(rules), String(evaluations), share, worst.toFixed(2), String(unknown), isGoodEnough(check) ? 'yes' : 'no'];
}

function keep(model: ServerModel, checked: readonly TimedEvaluation[]): void {
  writeFileSync(MODEL, `${JSON.stringify(model, undefined, 2)}\n`);
  writeFileSync(CHART, `${standaloneChart(predictionChart(checked, model))}\n`);
}

/** Returns the date, the machine and the versions with which the times were measured. */
function circumstances(): Readonly<Record<string, string>> {
  const modules = readFileSync(join(SHARED, 'bench-peers/go/go.mod'), 'utf8');
  const version = (module: string): string => new RegExp(`${module} (v\\S+)`).exec(modules)?.[1] ?? 'unknown';
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: environment().cpu,
    go: execFileSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' }).trim(),
    celGo: version('github.com/google/cel-go'),
    kubernetes: version('k8s.io/apiextensions-apiserver'),
  };
}
