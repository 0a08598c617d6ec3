import { availableParallelism } from 'node:os';
import { programArguments } from '../../testing/program-arguments.ts';
import { BenchPool } from './bench.ts';
import { chosenFiles } from './chosen-files.ts';
import { floorOf, raiseFloors } from './floors.ts';
import type { Floor } from './floors.ts';
import { BOTH_ENGINES } from './judging-engine.ts';
import { inParallel } from './parallel.ts';
import { scoreFile } from './score-files.ts';
import { scoreLine } from './score.ts';

const USAGE = `usage: npm run tool -- floors [NAME…]

Judges recorded files with both engines and raises the committed floors to what the lesser one reached. NAME: only files whose names begin so.
Exit code: 0 no file fell, 1 one fell, 2 wrong usage.
`;
const files = chosenFiles(programArguments(USAGE, {}, 'operands').positionals, USAGE);
const reached: Record<string, Floor> = {};
const pool = new BenchPool();
for (const engine of BOTH_ENGINES) {
  for await (const score of inParallel(files, availableParallelism(), (file) => pool.use((bench) => scoreFile(file, { engine }, bench)))) {
    const { exact, skipped } = floorOf(score);
    reached[score.file] = { exact: Math.min(reached[score.file]?.exact ?? Infinity, exact), skipped };
    process.stdout.write(`${engine} ${scoreLine(score)}\n`);
  }
}
pool.close();
const fallen = raiseFloors(reached);
for (const name of fallen) process.stdout.write(`fell: ${name} reached only ${reached[name]?.exact}\n`);
process.exitCode = fallen.length === 0 ? 0 : 1;
