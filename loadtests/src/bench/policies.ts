import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { POLICY_STEPS, predictPolicyTime } from '#benchmark';
import type { PolicyModel, PolicyWork } from '#benchmark';
import { standaloneChart } from '#report/charts';
import { buildPolicyProgram } from '../engines/policy-program.ts';
import type { PluginAnswer } from '../engines/policy-program.ts';
import { environment } from '../measure/environment.ts';
import { PROJECT, SHARED } from '../places.ts';
import type { BenchTable } from './bench-table.ts';
import { oracleLine } from './policy-times/oracle-line.ts';
import { policyCases } from './policy-times/policy-cases.ts';
import { policyChart } from './policy-times/policy-chart.ts';
import { timeCases } from './policy-times/timed-case.ts';
import type { TimedCase } from './policy-times/timed-case.ts';
import { fitNanoseconds } from './predictions/fit-model.ts';

const MODEL = join(PROJECT, 'libs/benchmark/src/prediction/policy-model.json');
const CHART = join(PROJECT, 'docs/reports/policy-times.svg');
const RECORDED = join(PROJECT, 'loadtests/src/bench/policy-times/recorded-answers.json');

/** Largest factor between a predicted and a measured time of a family that takes no part in the fit. */
const FACTOR = 2;

/**
 * Fits the time that the policy plugin of a server needs for each kind of step to the times of the real plugin. Checks the fit on families
 * that take no part in it. A full run stores the model, its chart, and the costs of small cases for the product.
 */
export function benchPolicies(quick: boolean): BenchTable {
  const program = buildPolicyProgram();
  if (typeof program === 'string') return { columns: [], rows: [], wanted: [], notes: [`Not measured: ${program}.`] };
  const { timed, differing } = timeCases(
    program,
    policyCases('measured'),
    quick ? { rounds: 1, least: '50ms' } : { rounds: 5, least: '150ms' },
  );
  const answers = quick ? [] : program.answers(policyCases('recorded').map(oracleLine));
  program.close();
  const fitted = timed.filter(({ testCase }) => !testCase.isHeldOut);
  const found = fitNanoseconds(fitted.map(({ work, ns }) => ({ amounts: { ...work }, ns })));
  const nanoseconds = Object.fromEntries(POLICY_STEPS.map((kind) => [kind, found[kind] ?? 0])) as PolicyWork;
  const model = { measured: circumstances(), nanoseconds };
  if (!quick) keep(model, timed, answers);
  const families = [...Map.groupBy(timed, ({ testCase }) => testCase.family)];
  const heldOut = families.filter(([, own]) => own.some(({ testCase }) => testCase.isHeldOut));
  return {
    columns: ['family', 'sizes', 'at the largest, ms', 'predicted ÷ measured, lowest', 'highest', 'in the fit'],
    rows: families.map(([family, own]) => familyRow(family, own, model)),
    wanted: [
      { name: 'cases whose costs differ from the plugin', value: differing.length, most: 0 },
      {
        name: 'factor of the worst prediction of a family outside the fit',
        value: worstFactor(
          heldOut.flatMap(([, own]) => own),
          model,
        ),
        most: FACTOR,
      },
    ],
    notes: differing.map((id) => `Differs: ${id}`),
  };
}

const ratioOf = ({ work, ns }: TimedCase, model: PolicyModel): number => (predictPolicyTime(work, model) * 1e6) / ns;

function worstFactor(timed: readonly TimedCase[], model: PolicyModel): number | undefined {
  const factors = timed.map((one) => Math.exp(Math.abs(Math.log(ratioOf(one, model)))));
  return factors.length === 0 ? undefined : Math.max(...factors);
}

function familyRow(family: string, own: readonly TimedCase[], model: PolicyModel): string[] {
  const ratios = own.map((one) => ratioOf(one, model));
  const last = own.at(-1);
  return [
    family,
    own.map(({ testCase }) => testCase.size).join(', '),
    last === undefined ? '' : (last.ns / 1e6).toPrecision(3),
    Math.min(...ratios).toFixed(2),
    Math.max(...ratios).toFixed(2),
    last?.testCase.isHeldOut === true ? 'no' : 'yes',
  ];
}

function keep(model: PolicyModel, timed: readonly TimedCase[], answers: readonly PluginAnswer[]): void {
  writeFileSync(MODEL, `${JSON.stringify(model, undefined, 2)}\n`);
  writeFileSync(CHART, `${standaloneChart(policyChart(timed, model))}\n`);
  const lines = answers.map((answer) => JSON.stringify(answer));
  writeFileSync(RECORDED, `[\n${lines.join(',\n')}\n]\n`);
}

/** Returns the date, the machine and the versions with which the times were measured. */
function circumstances(): Readonly<Record<string, string>> {
  const modules = readFileSync(join(SHARED, 'oracle/policy/go.mod'), 'utf8');
  const version = (module: string): string => new RegExp(`${module} (v\\S+)`).exec(modules)?.[1] ?? 'unknown';
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: environment().cpu,
    go: execFileSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' }).trim(),
    celGo: version('github.com/google/cel-go'),
    kubernetes: version('k8s.io/apiserver'),
  };
}
