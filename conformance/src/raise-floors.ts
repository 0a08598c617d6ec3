import { availableParallelism } from 'node:os';
import { raiseFloors } from './floors.ts';
import { BOTH_ENGINES } from './judging-engine.ts';
import { inParallel } from './parallel.ts';
import { recordedFiles, scoreFile } from './score-files.ts';
import { scoreLine } from './score.ts';

/** Judges every recorded file with both engines and raises the committed floors to what the lesser one reached. */
const reached: Record<string, number> = {};
for (const engine of BOTH_ENGINES) {
  for await (const score of inParallel(recordedFiles(), availableParallelism(), (file) => scoreFile(file, { engine }))) {
    reached[score.file] = Math.min(reached[score.file] ?? Infinity, score.exact + score.known);
    process.stdout.write(`${engine} ${scoreLine(score)}\n`);
  }
}
raiseFloors(reached);
