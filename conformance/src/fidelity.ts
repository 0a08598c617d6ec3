import { availableParallelism } from 'node:os';
import { programArguments, wholeNumber, wrongArguments } from '../../testing/program-arguments.ts';
import { BenchPool } from './bench.ts';
import { chosenFiles } from './chosen-files.ts';
import { JUDGING_ENGINES, readJudgingEngine } from './judging-engine.ts';
import { inParallel } from './parallel.ts';
import { scoreFile } from './score-files.ts';
import { classLines, scoreLine } from './score.ts';
import type { Score } from './score.ts';
import { sharedIsHere } from './shared-folder.ts';

const USAGE = `usage: npm run fidelity -- [NAME…] [--engine ${JUDGING_ENGINES.join('|')}] [--every N] [--show N]

The score board: every recorded file, or those whose names begin so, a line each. --every: one case in N. --show: so many differences of each file.
`;
const { values, positionals } = programArguments(
  USAGE,
  {
    show: { type: 'string', default: '0' },
    every: { type: 'string', default: '1' },
    engine: { type: 'string', default: 'compiled' },
  },
  'operands',
);
const engine = readJudgingEngine(values.engine) ?? wrongArguments(`--engine must be one of ${JUDGING_ENGINES.join(', ')}`, USAGE);
const every = wholeNumber('every', values.every, USAGE);
const examples = wholeNumber('show', values.show, USAGE);
const files = chosenFiles(positionals, USAGE);
if (!sharedIsHere) {
  process.stdout.write('The recorded behaviour of upstream (shared/ beside the project) is not here: nothing was compared.\n');
  process.exit(0);
}
const started = performance.now();
const total = { cases: 0, exact: 0, verdict: 0 };
const settings = { engine, every, examples };
const pool = new BenchPool();
for await (const score of inParallel(files, availableParallelism(), (file) => pool.use((bench) => scoreFile(file, settings, bench)))) {
  total.cases += score.cases;
  total.exact += score.exact + score.known;
  total.verdict += score.verdict;
  process.stdout.write(`${scoreLine(score)}\n`);
  show(score);
}
pool.close();
process.stdout.write(
  `engine ${engine}, ${total.cases} cases: verdict agrees in ${total.verdict}, exact or known in ${total.exact} (${((performance.now() - started) / 1000).toFixed(0)} s)\n`,
);

function show(score: Score): void {
  for (const id of score.healed) process.stdout.write(`    healed: ${id} agrees again; take it off known-differences.json\n`);
  if (examples > 0) for (const line of classLines(score, ['golden', 'ours'])) process.stdout.write(`${line}\n`);
}
