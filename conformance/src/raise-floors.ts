import { availableParallelism } from 'node:os';
import { raiseFloors } from './floors.ts';
import { inParallel } from './parallel.ts';
import { recordedFiles, scoreFile } from './score-files.ts';
import { scoreLine } from './score.ts';

/** Judges every recorded file and raises the committed floors to what was reached. */
const reached: Record<string, number> = {};
for await (const score of inParallel(recordedFiles(), availableParallelism(), (file) => scoreFile(file))) {
  reached[score.file] = score.exact + score.known;
  process.stdout.write(`${scoreLine(score)}\n`);
}
raiseFloors(reached);
