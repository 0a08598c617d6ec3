import { availableParallelism } from 'node:os';
import { floorOf, raiseFloors } from './floors.ts';
import type { Floor } from './floors.ts';
import { BOTH_ENGINES } from './judging-engine.ts';
import { inParallel } from './parallel.ts';
import { recordedFiles, scoreFile } from './score-files.ts';
import { scoreLine } from './score.ts';

/**
 * Judges recorded files with both engines and raises the committed floors to what the lesser one reached. Ends with 1 where a file fell.
 * `npm run floors -- [name…]`: only files whose names begin so.
 */
const wanted = process.argv.slice(2);
const files = recordedFiles().filter(({ name }) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)));
const reached: Record<string, Floor> = {};
for (const engine of BOTH_ENGINES) {
  for await (const score of inParallel(files, availableParallelism(), (file) => scoreFile(file, { engine }))) {
    const { exact, skipped } = floorOf(score);
    reached[score.file] = { exact: Math.min(reached[score.file]?.exact ?? Infinity, exact), skipped };
    process.stdout.write(`${engine} ${scoreLine(score)}\n`);
  }
}
const fallen = raiseFloors(reached);
for (const name of fallen) process.stdout.write(`fell: ${name} reached only ${reached[name]?.exact}\n`);
process.exitCode = fallen.length === 0 ? 0 : 1;
