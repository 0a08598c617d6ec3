import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { programArguments, wrongArguments } from '../../testing/program-arguments.ts';
import { isMinor, LATEST_MINOR, MINORS } from '#kube';
import { answersOf, Bench } from './bench.ts';
import { JUDGING_ENGINES, readJudgingEngine } from './judging-engine.ts';
import { linesOf } from './read-lines.ts';

const USAGE = `usage: npm run verdicts -- [--kubernetes ${LATEST_MINOR}] [--crds FOLDER] [--engine ${JUDGING_ENGINES.join('|')}] < CASES > VERDICTS

Speaks the oracle's protocol: one case a line in, one verdict a line out, in order.
`;
const { values } = programArguments(USAGE, {
  kubernetes: { type: 'string', default: LATEST_MINOR },
  crds: { type: 'string', default: '.' },
  engine: { type: 'string', default: 'adaptive' },
});
if (!isMinor(values.kubernetes)) wrongArguments(`--kubernetes must be one of ${MINORS.join(', ')}`, USAGE);
const engine = readJudgingEngine(values.engine) ?? wrongArguments(`--engine must be one of ${JUDGING_ENGINES.join(', ')}`, USAGE);
const idOf = (line: string): string | undefined => /"id"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(line)?.[1];
const { kubernetes: minor, crds: crdFolder } = values;
const broken = (line: string, why: string): string => `{"id":${idOf(line) ?? '""'},"oracleError":${JSON.stringify(why)}}`;
const benches = Array.from({ length: Math.min(4, availableParallelism()) }, () => new Bench());
const task = { kind: 'verdict', minor, crdFolder, engine } as const;
for await (const verdict of answersOf(benches, { task, broken }, linesOf(process.stdin))) {
  if (!process.stdout.write(`${verdict}\n`)) await once(process.stdout, 'drain');
}
for (const bench of benches) bench.close();
