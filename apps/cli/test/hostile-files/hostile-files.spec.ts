import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DOORS } from './doors.ts';
import { BOUND, measuredRun, SECRET } from './measured-run.ts';
import type { MeasuredRun } from './measured-run.ts';
import { sampled } from '../../../../testing/thorough.ts';

const LARGE = 'a sparse file of 8 GiB';
/** Things that a hostile repository puts in the place of a file. `outside` is a file with a secret outside of the repository. */
const THINGS: readonly (readonly [string, (path: string, outside: string) => void])[] = Object.entries({
  'a link to a file outside': (path: string, outside: string) => symlinkSync(outside, path),
  'a link to an endless device': (path: string) => symlinkSync('/dev/zero', path),
  'a link to the environment': (path: string) => symlinkSync('/proc/self/environ', path),
  'a named pipe': (path: string) => void execFileSync('mkfifo', [path]),
  'a folder': (path: string) => mkdirSync(path),
  [LARGE]: (path: string) => {
    writeFileSync(path, '');
    truncateSync(path, 8 * 1024 ** 3);
  },
});

/** Creates a git repository with the given files, and puts a thing at a path. Returns the folder of the repository. */
function repositoryWith(files: Readonly<Record<string, string>>, path: string, place: (path: string, outside: string) => void): string {
  const top = mkdtempSync(join(tmpdir(), 'assay-hostile-'));
  const repository = join(top, 'repository');
  mkdirSync(join(repository, '.git'), { recursive: true });
  const outside = join(top, 'secret.yaml');
  writeFileSync(outside, `password: ${SECRET}\n`);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, name)), { recursive: true });
    writeFileSync(join(repository, name), text);
  }
  mkdirSync(dirname(join(repository, path)), { recursive: true });
  place(join(repository, path), outside);
  return repository;
}

/** Most memory in MiB that a command takes for what it refuses. An idle command takes about 100 MiB. */
const MAX_MIB = 400;

function expectBounded({ text, ms, peakMib }: MeasuredRun): void {
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain('internal error');
  expect(ms).toBeLessThan(20_000);
  expect(peakMib).toBeLessThan(MAX_MIB);
}

describe.each(sampled(DOORS, 6))('in a hostile repository, $name', ({ path, files, argv, mayBeFolder, mayBeLarge }) => {
  it('is rejected if it is no file of the repository', async () => {
    const run = async ([thing, place]: (typeof THINGS)[number]): Promise<void> => {
      const outcome = await measuredRun(repositoryWith(files, path, place), [...argv, ...BOUND]);
      expectBounded(outcome);
      const isHarmless = (thing === 'a folder' && mayBeFolder === true) || (thing === LARGE && mayBeLarge === true);
      expect(isHarmless ? [0, 1, 2] : [2], `${thing}: ${outcome.text}`).toContain(outcome.status);
      // The message names the file, so the command reached it.
      if (!isHarmless) expect(outcome.text).toMatch(new RegExp(`^assay: .*${basename(path)}(: | is )`, 'm'));
    };
    await Promise.all(THINGS.map(run));
  });
});
