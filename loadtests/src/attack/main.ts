import { writeFileSync } from 'node:fs';
import { programArguments, wholeNumber, wrongArguments } from '../../../testing/program-arguments.ts';
import { textTable } from '../report/text-table.ts';
import { SHAPES } from './attack.ts';
import { FAMILIES } from './families.ts';
import { failuresOf, MAX_CANARY_MS, MAX_STALL_MS, runAttacks } from './run-attacks.ts';
import type { FamilyReport } from './run-attacks.ts';
import type { ProcessResources } from './held.ts';

const USAGE = `usage: npm run attack -- [--short] [--only FAMILY…] [--shape SHAPE…] [--seed N] [--out FILE]

Sends hostile inputs to services that it starts (${SHAPES.join(', ')}), while a canary asks for their life and for verdicts that it knows.
Families: ${FAMILIES.map(({ name }) => name).join(', ')}
--short: each family in one shape, without inputs that take seconds. --out: the result as JSON.
Right is: no process ends, /livez is late by no more than ${MAX_STALL_MS} ms and the canary's evaluation by ${MAX_CANARY_MS} ms beyond what the machine takes,
its verdicts stay the same, every answer has a right code, security headers and, if it refuses, a Status, and memory, files and threads are given
back. A family that was only late is run once more, and that counts. Exit code: 0 all of it holds, 1 something does not, 2 wrong usage.
`;
const SHORT_ONE_IN = 2;
/** Highest number of failures shown for each family. */
const SHOWN = 12;

/** Runs the program: read the arguments → run the attacks → write the table and the JSON → return the exit status. */
async function main(): Promise<number> {
  const { out, ...plan } = argumentsOf();
  // A signal must end this process by `exit`, because the exit handler ends the started services.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));
  const reports = await runAttacks({ ...plan, say: (progress) => process.stderr.write(`  ${progress}\n`) });
  const failures = reports.reduce((sum, report) => sum + failuresOf(report).length, 0);
  const inputs = reports.reduce((sum, report) => sum + report.inputs, 0);
  if (out !== undefined) writeFileSync(out, `${JSON.stringify({ seed: plan.seed, inputs, failures, families: reports }, undefined, 2)}\n`);
  process.stdout.write(`${table(reports)}${failureText(reports)}${inputs} inputs, ${failures} failures (seed ${plan.seed})\n`);
  return failures === 0 ? 0 : 1;
}

function argumentsOf() {
  const { values } = programArguments(USAGE, {
    short: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    shape: { type: 'string', multiple: true, default: [] },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  });
  const families = FAMILIES.filter(({ name }) => values.only.length === 0 || values.only.includes(name));
  const shapes = SHAPES.filter((shape) => values.shape.length === 0 || values.shape.includes(shape));
  const unknown = [
    ...values.only.filter((wanted) => !FAMILIES.some(({ name }) => name === wanted)),
    ...values.shape.filter((wanted) => !SHAPES.some((shape) => shape === wanted)),
  ];
  if (unknown.length > 0) wrongArguments(`no such family or shape: ${unknown.join(', ')}`, USAGE);
  const seed = wholeNumber('seed', values.seed, USAGE);
  return { families, shapes, seed, oneIn: values.short ? SHORT_ONE_IN : undefined, out: values.out };
}

function table(reports: readonly FamilyReport[]): string {
  const ms = (value: number): string => String(Math.round(value));
  return textTable({
    title: '',
    columns: 'shape, family, inputs, s, stall ms, (livez), (control), canary ms, MB before, MB after, files, failures'.split(', '),
    rows: reports.map((report) => [
      report.shape,
      report.family,
      String(report.inputs),
      report.seconds.toFixed(1),
      ...[report.seen.livez.ms, report.seen.livez.took, report.seen.controlMs, report.seen.evaluation.ms].map(ms),
      held(report.before, 'mb'),
      held(report.after, 'mb'),
      held(report.after, 'files'),
      String(failuresOf(report).length),
    ]),
    notes: ['MB and files of each process in turn: the API and its engine host; in a fleet the worker and its own, too.'],
  });
}

const held = (processes: readonly ProcessResources[], what: 'mb' | 'files'): string => processes.map((one) => one[what]).join('+');

function failureText(reports: readonly FamilyReport[]): string {
  return reports
    .flatMap((report) => {
      const failures = failuresOf(report).map((failure) => `FAIL  ${report.shape} ${report.family}: ${failure}\n`);
      const more = failures.length - SHOWN;
      return [...failures.slice(0, SHOWN), ...(more > 0 ? [`      and ${more} more\n`] : [])];
    })
    .join('');
}

process.exitCode = await main();
