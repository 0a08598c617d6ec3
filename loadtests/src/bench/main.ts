import { environment } from '../measure/environment.ts';
import { programArguments, wrongArguments } from '../../../testing/program-arguments.ts';
import { BENCHES } from './benches.ts';
import { benchText, holds } from './bench-table.ts';
import { compareRevisions } from './compare/compare-revisions.ts';
import type { BenchTable } from './bench-table.ts';

const USAGE = `usage: npm run bench -- BENCH [--quick]
       npm run bench -- all --compare REVISION [--bound 1.05] [--quick]

${[...BENCHES].map(([name, { about }]) => `${name.padEnd(12)} ${about}`).join('\n')}
all          ratios to another revision of git, by pairs of new processes; a regression is one whose whole interval lies above the bound

--quick: fewer and shorter rounds. Exit code: 0 no gate fails (what was not measured neither holds nor fails), 1 some fail, 2 wrong usage.
`;

/** Runs the program: parse the arguments → measure the tables → exit with a status that depends on the limits. */
const { values, positionals } = programArguments(
  USAGE,
  { quick: { type: 'boolean', default: false }, compare: { type: 'string' }, bound: { type: 'string', default: '1.05' } },
  'operands',
);
const measure = wantedMeasurement();
for (const [key, value] of Object.entries(environment())) process.stdout.write(`${key}: ${value}\n`);
const tables = await measure();
for (const table of tables) process.stdout.write(`\n${benchText(table)}`);
process.exit(tables.every(holds) ? 0 : 1);

function wantedMeasurement(): () => Promise<readonly BenchTable[]> {
  const { quick, compare } = values;
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) return wrongArguments('one bench at a time', USAGE);
  if (name === 'all') {
    const bound = Number(values.bound);
    if (compare === undefined) return wrongArguments('all needs --compare REVISION', USAGE);
    if (!(bound > 0)) return wrongArguments(`--bound must be a ratio such as 1.05, not ${JSON.stringify(values.bound)}`, USAGE);
    return async () => [await compareRevisions(compare, bound, quick)];
  }
  const bench = BENCHES.get(name);
  if (bench === undefined) return wrongArguments(`unknown bench ${name}`, USAGE);
  return async () => bench.measure(quick);
}
