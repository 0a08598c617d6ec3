import { spawn } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { isJsonObject, readJson } from '#go';
import { isMinor, LATEST_MINOR, MINORS, readFeatureGates } from '#kube';
import { programArguments, wrongArguments } from '../../testing/program-arguments.ts';
import { answersOf, Bench } from './bench.ts';
import { compareVerdicts } from './compare-verdicts.ts';
import { comparePolicyVerdicts } from './policy/compare-policy-verdicts.ts';
import { JUDGING_ENGINES, readJudgingEngine } from './judging-engine.ts';
import { linesOf, linesOfFile } from './read-lines.ts';
import { member } from './canonical-text.ts';
import type { VerdictValue } from './canonical-text.ts';

const USAGE = `usage: npm run oracle-diff -- FILE --oracle PATH [--kubernetes ${LATEST_MINOR}] [--crds FOLDER] [--feature-gates A=false] [--engine ${JUDGING_ENGINES.join('|')}] [--policies]

Asks a built oracle (or ASSAY_ORACLE=PATH) and us about the cases of a file, one a line, and shows where we differ; docs/explanation/conformance.md tells how to build
one. Exit code: 0 none differs, 1 some do or were not answered, 2 wrong usage.
`;
const { values, positionals } = programArguments(
  USAGE,
  {
    oracle: { type: 'string' },
    kubernetes: { type: 'string', default: LATEST_MINOR },
    crds: { type: 'string', default: '.' },
    'feature-gates': { type: 'string', default: '' },
    engine: { type: 'string', default: 'adaptive' },
    policies: { type: 'boolean', default: false },
  },
  'operands',
);
const file = positionals[0] ?? wrongArguments('no file of cases', USAGE);
const oracle = values.oracle ?? process.env['ASSAY_ORACLE'] ?? wrongArguments('no oracle', USAGE);
const engine = readJudgingEngine(values.engine) ?? wrongArguments(`--engine must be one of ${JUDGING_ENGINES.join(', ')}`, USAGE);
const gates = readFeatureGates(values['feature-gates']);
for (const path of [file, oracle]) if (!existsSync(path)) wrongArguments(`${path} is not there`, USAGE);
if (!isMinor(values.kubernetes)) wrongArguments(`--kubernetes must be one of ${MINORS.join(', ')}`, USAGE);
if (!gates.ok) wrongArguments('--feature-gates must be NAME=true or NAME=false, separated by commas', USAGE);
const child = spawn(oracle, values.policies ? [] : ['-crds', values.crds], {
  stdio: ['pipe', 'pipe', 'inherit'],
  env: { ...process.env, GATES: values['feature-gates'] },
});
createReadStream(file).pipe(child.stdin);
const bench = new Bench();
const task = { kind: 'verdict', minor: values.kubernetes, crdFolder: values.crds, gates: gates.gates, engine } as const;
const ours = answersOf([bench], { task, broken: (_, why) => JSON.stringify({ oracleError: why }) }, linesOfFile(file));
let cases = 0;
let differing = 0;
/** Number of cases on which neither the oracle nor Assay could compute a verdict, such as cases whose definition no server would serve. */
let unjudged = 0;
for await (const line of linesOf(child.stdout)) {
  const answer = await ours.next();
  const golden = parsed(line);
  const own = answer.done ? { oracleError: 'no answer' } : parsed(answer.value);
  cases++;
  if (member(golden, 'oracleError') !== undefined && member(own, 'oracleError') !== undefined) {
    unjudged++;
    continue;
  }
  const comparison = (values.policies ? comparePolicyVerdicts : compareVerdicts)(golden, own, []);
  if (comparison.exact) continue;
  differing++;
  process.stdout.write(`${line.slice(0, 120)}\n`);
  for (const { aspect, golden: theirs, ours: own } of comparison.differences)
    process.stdout.write(`  ${aspect}\n    oracle ${theirs}\n    ours   ${own}\n`);
}
/** Number of cases that the oracle did not answer because it ended early. */
let unanswered = 0;
while (!(await ours.next()).done) unanswered++;
bench.close();
const left = [
  ...(unjudged === 0 ? [] : [`${unjudged} that neither judges`]),
  ...(unanswered === 0 ? [] : [`${unanswered} that the oracle did not answer`]),
];
process.stdout.write(`${[`${cases} cases`, `${differing} differ`, ...left].join(', ')}\n`);
process.exit(differing + unanswered === 0 ? 0 : 1);

function parsed(line: string): VerdictValue {
  const reading = readJson(line);
  return reading.ok && isJsonObject(reading.value) ? reading.value : {};
}
