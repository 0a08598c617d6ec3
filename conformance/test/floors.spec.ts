import { afterAll, describe, expect, it } from 'vitest';
import { thorough } from '../../testing/thorough.ts';
import { BenchPool } from '../src/bench.ts';
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

/** Files that the short form of this spec samples: the files without a minor version, and the files of the newest minor version. */
const SHORT = /^(?!random-crds).*-1\.37$|^(?!.*-1\.\d\d)/;

/** Number of cases of a file that the short form checks, evenly spread over the file. */
const SAMPLE = 100;

const taken = recordedFiles().filter(({ name }) => thorough || SHORT.test(name));
const runs: readonly (readonly [string, JudgingEngine, RecordedFile])[] = taken.flatMap((file) => [
  [file.name, 'compiled', file] as const,
  ...(thorough && ALSO_INTERPRETED.test(file.name) ? [[file.name, 'interpreted', file] as const] : []),
]);

const pool = new BenchPool();
afterAll(() => pool.close());

describe.skipIf(!sharedIsHere).concurrent('the number of recorded cases in which Assay agrees with Kubernetes', () => {
  it('has a minimum for each file of cases', () => {
    expect(Object.keys(floors)).toEqual(
      recordedFiles()
        .map(({ name }) => name)
        .sort(),
    );
  });

  // The comparison requires equality, so that each improvement is recorded (`npm run tool -- floors`) and no further case is skipped
  // unnoticed.
  it.runIf(thorough).each(runs)('equals the minimum for %s, %s', { timeout: 600_000 }, async (name, engine, file) => {
    const score = await pool.use((bench) => scoreFile(file, { engine }, bench));
    expect({ healed: score.healed, ...floorOf(score) }).toEqual({ healed: [], ...floors[name] });
  });

  it.skipIf(thorough).each(runs)('includes all cases of a sample for %s, %s', async (name, engine, file) => {
    const every = Math.ceil((floors[name]?.exact ?? 0) / SAMPLE);
    const score = await pool.use((bench) => scoreFile(file, { engine, every, examples: 3 }, bench));
    expect({ healed: score.healed, classes: Object.fromEntries(score.classes) }).toEqual({ healed: [], classes: {} });
    expect(score.exact + score.known).toBeGreaterThan(0);
    expect(Object.keys(floors[name]?.skipped ?? {})).toEqual(expect.arrayContaining([...score.skipped.keys()]));
  });
});
