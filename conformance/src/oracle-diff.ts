import { existsSync } from 'node:fs';
import { isJsonObject, readJson } from '#go';
import { isMinor, LATEST_MINOR, MINORS, readFeatureGates } from '#kube';
import { programArguments, wrongArguments } from '../../testing/program-arguments.ts';
import { askOracle, definitionOracle, policyOracle } from './ask-oracle.ts';
import type { AskedCase } from './ask-oracle.ts';
import { answersOf, Bench } from './bench.ts';
import { compareVerdicts } from './compare-verdicts.ts';
import { comparePolicyVerdicts } from './policy/compare-policy-verdicts.ts';
import { JUDGING_ENGINES, readJudgingEngine } from './judging-engine.ts';
import { linesOfFile } from './read-lines.ts';
import { member } from './canonical-text.ts';
import type { VerdictValue } from './canonical-text.ts';

const USAGE = `usage: npm run tool -- oracle-diff FILE --oracle PATH [--kubernetes ${LATEST_MINOR}] [--crds FOLDER] [--feature-gates A=false] [--engine ${JUDGING_ENGINES.join('|')}] [--policies]

Asks a built oracle (or ASSAY_ORACLE=PATH) and us about the cases of a file, one a line, and shows where we differ; docs/explanation/conformance.md tells how to build
one. Exit code: 0 none differs, 1 some do, 2 wrong usage, 3 the oracle did not answer all cases.
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
const program = values.policies ? policyOracle(oracle) : definitionOracle(oracle, values.crds);
const asked = askOracle({ ...program, environment: { GATES: values['feature-gates'] } }, casesOf(file));
const bench = new Bench();
const task = { kind: 'verdict', minor: values.kubernetes, crdFolder: values.crds, gates: gates.gates, engine } as const;
const ours = answersOf([bench], { task, broken: (_, why) => JSON.stringify({ oracleError: why }) }, linesOfFile(file));
let cases = 0;
let differing = 0;
/** Number of cases on which neither the oracle nor Assay could compute a verdict, such as cases whose definition no server would serve. */
let unjudged = 0;
/** Reason why the oracle did not answer all cases. Undefined if it did. */
let failure: string | undefined;
for await (const theirs of asked) {
  if (theirs.kind === 'failure') {
    failure = theirs.why;
    break;
  }
  const { line, verdict: golden } = theirs;
  const answer = await ours.next();
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
bench.close();
if (failure !== undefined) process.stderr.write(`${failure}\n`);
process.stdout.write(
  `${[`${cases} cases`, `${differing} differ`, ...(unjudged === 0 ? [] : [`${unjudged} that neither judges`])].join(', ')}\n`,
);
process.exit(failure !== undefined ? 3 : differing === 0 ? 0 : 1);

async function* casesOf(path: string): AsyncGenerator<AskedCase> {
  for await (const text of linesOfFile(path)) {
    const id = member(parsed(text), 'id');
    yield { text, id: typeof id === 'string' ? id : undefined };
  }
}

function parsed(line: string): VerdictValue {
  const reading = readJson(line);
  return reading.ok && isJsonObject(reading.value) ? reading.value : {};
}
