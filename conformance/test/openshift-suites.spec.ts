import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedIsHere } from '../src/shared-folder.ts';
import { thorough } from '../../testing/thorough.ts';
import { OPENSHIFT_SUITES, writeSuites } from '../src/suite-folders.ts';

/**
 * Minor version with which the suites are run. The authors of the suites run them with a patched 1.32. The first released minor version
 * that ratchets status writes is 1.33, and two cases need ratcheting. Minor version 1.33 also has the error texts that the cases expect.
 * Later minor versions change these texts.
 */
const MINOR = '1.33';
const CLI = resolve(import.meta.dirname, '../../dist/package/cli/assay.cjs');

interface Result {
  readonly name: string;
  readonly passed: boolean;
  readonly problem?: string;
}

/** Runs `assay test` on a folder and returns the exit status and the results. */
function assayTest(folder: string): Promise<{ readonly status: unknown; readonly results: readonly Result[] }> {
  const argv = [CLI, 'test', folder, '-k', MINOR, '-o', 'json'];
  return new Promise((done, fail) => {
    execFile(process.execPath, argv, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      try {
        done({ status: error?.code ?? 0, results: JSON.parse(stdout) as Result[] });
      } catch {
        fail(new Error(stderr));
      }
    });
  });
}

describe.skipIf(!sharedIsHere)('suites of openshift/api, run by assay test', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-suites-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  // The short form uses only the last corpus, which is smaller.
  it.each(thorough ? OPENSHIFT_SUITES : OPENSHIFT_SUITES.slice(-1))(
    '%s: each case passes with each variant of its definition',
    { timeout: 600_000 },
    async (corpus) => {
      const runs = await writeSuites(corpus, folder);
      expect(runs).toBeGreaterThan(200);
      const { status, results } = await assayTest(join(folder, corpus));
      expect(results.flatMap(({ name, passed, problem }) => (passed ? [] : [{ name, problem }]))).toEqual([]);
      expect([status, results.length]).toEqual([0, runs]);
    },
  );
});
