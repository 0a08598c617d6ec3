import { describe, expect, it } from 'vitest';
import { thorough } from '../../testing/thorough.ts';
import { floorOf, readFloors } from '../src/floors.ts';
import { recordedFiles, scoreFile } from '../src/score-files.ts';
import { sharedIsHere } from '../src/shared-folder.ts';
import type { JudgingEngine } from '../src/judging-engine.ts';
import type { RecordedFile } from '../src/score-files.ts';

const floors = readFloors();

if (!sharedIsHere)
  console.warn('shared/ is not beside the project: the recorded behaviour of upstream is not compared (docs/explanation/conformance.md)');

/**
 * Files that the long form of this spec also checks with the interpreter. They are expressions of every minor version, tables of
 * expressions, and one file of each remaining kind. `npm run fidelity -- --engine interpreted` checks all files. The floors are the same
 * for both engines.
 */
const ALSO_INTERPRETED = /^(random-exprs-|cel-|values$|crds-1\.30$|random-crds-1\.31$|random-objects-1\.32$|suites-1\.33$)/;

/**
 * Files that this spec checks unless the test run is thorough; a thorough run checks all files. They are the files without a minor version,
 * those of the newest minor version except the longest, and the writes of the oldest minor version.
 */
const SHORT = /^(?!random-crds).*-1\.37$|^(?!.*-1\.\d\d)|^random-objects-1\.30$/;

const taken = recordedFiles().filter(({ name }) => thorough || SHORT.test(name));
const runs: readonly (readonly [string, JudgingEngine, RecordedFile])[] = taken.flatMap((file) => [
  [file.name, 'compiled', file] as const,
  ...(thorough && ALSO_INTERPRETED.test(file.name) ? [[file.name, 'interpreted', file] as const] : []),
]);

describe.skipIf(!sharedIsHere).concurrent('recorded behaviour of upstream', () => {
  it('has a floor for each file', () => {
    expect(Object.keys(floors)).toEqual(
      recordedFiles()
        .map(({ name }) => name)
        .sort(),
    );
  });

  // Equal, not at least: what rises is written down (`npm run floors`), and no line may join the skipped ones unnoticed.
  it.each(runs)('%s, %s: is at its floor', { timeout: 600_000 }, async (name, engine, file) => {
    const score = await scoreFile(file, { engine });
    expect({ healed: score.healed, ...floorOf(score) }).toEqual({ healed: [], ...floors[name] });
  });
});
