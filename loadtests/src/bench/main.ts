import { environment } from '../measure/environment.ts';
import { CEL_CASES } from '../engines/cel-cases.ts';
import { programArguments, wrongArguments } from '../../../testing/program-arguments.ts';
import { BENCHES } from './benches.ts';
import { benchCel } from './cel.ts';
import { benchText } from './bench-table.ts';
import { compareRevisions } from './compare/compare-revisions.ts';
import type { BenchTable } from './bench-table.ts';

const USAGE = `usage: npm run bench -- [BENCH] [--quick]
       npm run bench -- cel [--case NAME]…
       npm run bench -- profile --compare REVISION
       npm run bench -- all --compare REVISION [--bound 1.05]

cel          ns per element of every engine (the default); cases: ${CEL_CASES.map(({ name }) => name).join(', ')}
all          ratios to another revision of git in interleaved rounds; a regression is one whose whole interval lies above the bound
${[...BENCHES].map(([name, { about }]) => `${name.padEnd(12)} ${about}`).join('\n')}

--quick: fewer and shorter rounds. Exit code: 0 no gate fails (what was not measured neither holds nor fails), 1 some fail, 2 wrong usage.
`;

/** PLOT: what is asked for → tables → exit by gates. */
const { values, positionals } = programArguments(
  USAGE,
  {
    case: { type: 'string', multiple: true, default: [] },
    quick: { type: 'boolean', default: false },
    compare: { type: 'string' },
    bound: { type: 'string', default: '1.05' },
  },
  'operands',
);
const measure = wantedMeasurement();
process.stdout.write(
  `${Object.entries(environment())
    .map(([key, value]) => `${key}: ${value}`)
    .join('\n')}\n\n`,
);
const tables = await measure();
for (const table of tables) process.stdout.write(`${benchText(table)}\n`);
process.exit(tables.every((table) => table.failedGates.length === 0) ? 0 : 1);

function wantedMeasurement(): () => Promise<readonly BenchTable[]> {
  const [name = 'cel', ...more] = positionals;
  const { quick, compare } = values;
  if (more.length > 0) return wrongArguments(`one bench at a time, not also ${more.join(', ')}`, USAGE);
  if (name === 'cel') {
    const unknown = values.case.filter((wanted) => !CEL_CASES.some((known) => known.name === wanted));
    if (unknown.length > 0) return wrongArguments(`unknown case ${unknown.join(', ')}`, USAGE);
    return () => Promise.resolve([benchCel(values.case, quick)]);
  }
  if (name === 'all') {
    const bound = Number(values.bound);
    if (compare === undefined) return wrongArguments('all needs --compare REVISION', USAGE);
    if (!(bound > 0)) return wrongArguments(`--bound must be a ratio such as 1.05, not ${JSON.stringify(values.bound)}`, USAGE);
    return async () => [await compareRevisions(compare, bound, quick)];
  }
  const bench = BENCHES.get(name);
  if (bench === undefined) return wrongArguments(`unknown bench ${name}`, USAGE);
  return async () => bench.measure({ quick, compare });
}
