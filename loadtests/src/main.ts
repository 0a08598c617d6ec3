import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { programArguments, wholeNumber, wrongArguments } from '../../testing/program-arguments.ts';
import { EXPERIMENTS } from './experiments/all.ts';
import { writeBaselines } from './gates/baselines.ts';
import { runText } from './report/run-words.ts';
import { publish, writeResults } from './report/write-results.ts';
import { runSummarySchema } from './result/summary.ts';
import type { RunSummary } from './result/summary.ts';
import { sorted } from './result/verdicts.ts';
import { runExperiments } from './run-experiments.ts';

const USAGE = `usage: npm run loadtest -- [EXPERIMENT…] [--smallest | --quick | --full] [--cap SECONDS] [--seed N] [--out DIR]
       npm run loadtest -- report DIR
       npm run loadtest -- publish DIR
       npm run loadtest -- baselines

Experiments: ${EXPERIMENTS.map(({ name }) => name).join(', ')}
real-server runs only if it is named. It needs Go, etcd and the folder shared/bench-peers beside the project.
report: draws a run again. publish: writes a run into docs/reports/experiments.md, and a run of real-server alone into docs/reports/real-server.md.
baselines: takes the counted work of the present code, and what its readers judge, as what to keep to.

--quick: a first look (the default). --full: figures worth keeping. --smallest: only tries that everything works.
--cap: what an experiment has not begun after so many seconds is left out.
Results go to loadtests/results/<time>, or to --out; DIR is such a folder.
Exit code: 0 no gate fails (what was not measured neither holds nor fails), 1 some fail, 2 wrong usage.
`;

/** Runs the program: parse the arguments → run experiments, or rewrite a report → exit with a status that depends on the gates. */
async function main(): Promise<number> {
  const { values, positionals } = argumentsOf();
  const [command, ...rest] = positionals;
  if (command === 'report') return report(rest);
  if (command === 'publish') return publishRun(rest);
  if (command === 'baselines') {
    writeBaselines();
    return 0;
  }
  const unknown = positionals.filter((name) => !EXPERIMENTS.some((experiment) => experiment.name === name));
  if (unknown.length > 0) return wrongArguments(`unknown experiment ${unknown.join(', ')}`, USAGE);
  const chosen = EXPERIMENTS.filter(({ name, isRunByName = false }) =>
    positionals.length === 0 ? !isRunByName : positionals.includes(name),
  );
  const stop = new AbortController();
  // The first signal ends the running experiment. The second signal ends the lab, and with it the programs that it started.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => (stop.signal.aborted ? process.exit(130) : stop.abort()));
  const summary = await runExperiments(chosen, {
    thoroughness: values.full ? 'full' : values.smallest ? 'smallest' : 'quick',
    seed: wholeNumber('seed', values.seed, USAGE),
    capSeconds: values.cap === undefined ? undefined : wholeNumber('cap', values.cap, USAGE),
    signal: stop.signal,
    say: (progress) => process.stderr.write(`  ${progress}\n`),
  });
  const folder = values.out ?? join('loadtests', 'results', summary.startedAt.replaceAll(':', '-').slice(0, 19));
  writeResults(summary, folder);
  process.stdout.write(`${runText(summary)}\nReport: ${join(folder, 'report.html')}, and as Markdown ${join(folder, 'summary.md')}\n`);
  return noneFails(summary) ? 0 : 1;
}

function argumentsOf() {
  const options = {
    smallest: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    cap: { type: 'string' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  } as const;
  return programArguments(USAGE, options, 'operands');
}

/** Returns true if no gate (a check of a measured figure) fails and no experiment was aborted. */
function noneFails({ experiments }: RunSummary): boolean {
  return experiments.every(({ status, gates }) => status !== 'failed' && sorted(gates).failed.length === 0);
}

function load(folder: string): RunSummary {
  return runSummarySchema.parse(JSON.parse(readFileSync(join(resolve(folder), 'summary.json'), 'utf8')));
}

/** Writes a run into the project's documentation. */
function publishRun([folder]: readonly string[]): number {
  if (folder === undefined) return wrongArguments('publish needs the folder of a run', USAGE);
  const summary = load(folder);
  publish(summary, pageOf(summary));
  return noneFails(summary) ? 0 : 1;
}

/** Returns the name of the page of a run. An experiment that runs only by name has a page of its own. */
function pageOf({ experiments }: RunSummary): string {
  const [only, ...others] = experiments;
  const isOwn = EXPERIMENTS.some(({ name, isRunByName = false }) => isRunByName && name === only?.name);
  return only !== undefined && others.length === 0 && isOwn ? only.name : 'experiments';
}

/** Writes the report of a run again, using only its summary. */
function report([folder]: readonly string[]): number {
  if (folder === undefined) return wrongArguments('report needs the folder of a run', USAGE);
  const summary = load(folder);
  writeResults(summary, folder);
  return noneFails(summary) ? 0 : 1;
}

process.exitCode = await main();
