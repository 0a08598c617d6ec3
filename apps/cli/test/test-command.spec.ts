import { describe, expect, it } from 'vitest';
import { AssayProcess, withoutProgress } from './assay-process.ts';
import { runAssay } from '../../../testing/run-assay.ts';
import { Folder, sizedDefinition, sizeSuite } from './suite-fixture.ts';

const SUMMARY = 'Summary: ';

/** Runs `assay test` to its end. Returns the exit status and the output. */
async function assayTest(...argv: string[]): Promise<{ readonly status: unknown; readonly stdout: string; readonly stderr: string }> {
  const { status, stdout, stderr } = await runAssay(['test', ...argv]);
  return { status, stdout, stderr: withoutProgress(stderr) };
}

describe('assay test', () => {
  it('exits with 0 if all cases pass, 1 if a case fails, 2 for a usage error', async () => {
    using folder = new Folder({
      'crd.yaml': sizedDefinition(3),
      'suite.yaml': sizeSuite(2),
      'z/suite.yaml': sizeSuite(4, 'crd: ../crd.yaml'),
    });
    expect(await assayTest(folder.file('suite.yaml'))).toMatchObject({ status: 0, stderr: '' });
    const both = await assayTest(folder.path);
    expect(both.status).toBe(1);
    expect(both.stdout).toMatch(
      / {2}ok {3}onCreate: size 2\n[^]*FAIL onCreate: size 4\n {7}refused: .*\nSummary: 2 cases - Passed: 1, Failed: 1\n$/,
    );
    expect(both.stdout).not.toContain('\u001b');
    expect(await assayTest(folder.file('nope'))).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('nope: no such file or folder'),
    });
    expect(await assayTest(folder.path, '-o', 'xml')).toMatchObject({ status: 2, stdout: '' });
    folder.write('z/suite.yaml', 'name: [');
    expect(await assayTest(folder.path)).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('suite.yaml: yaml: line'),
    });
  });

  it('--watch reruns the cases of a changed suite or definition, and ends when the user types Ctrl-C', async () => {
    using folder = new Folder({
      'a/crd.yaml': sizedDefinition(3),
      'a/suite.yaml': sizeSuite(2),
      'b/crd.yaml': sizedDefinition(3),
      'b/suite.yaml': sizeSuite(3),
    });
    const run = new AssayProcess(['test', folder.path, '--watch']);
    await run.says(`${SUMMARY}2 cases - Passed: 2`);
    folder.write('a/crd.yaml', sizedDefinition(1));
    await run.says(`${SUMMARY}1 cases - Passed: 0, Failed: 1`);
    folder.write('b/suite.yaml', sizeSuite(1, '# changed'));
    await run.says(`${SUMMARY}1 cases - Passed: 1`);
    folder.write('c/suite.yaml', 'name: [');
    await run.says('c/suite.yaml: yaml: line 1');
    folder.write('c/suite.yaml', sizeSuite(3, 'crd: ../b/crd.yaml'));
    await run.says(`${SUMMARY}1 cases - Passed: 1`, 2);
    run.signal('SIGINT');
    // The status is 1, because the suite in `a` failed in its last run.
    expect(await run.ended).toBe(1);
    expect(run.stdout.split(SUMMARY)).toHaveLength(5);
  });

  it('--watch exits with 0 if all cases pass at the end, and with 2 if suites cannot be read', async () => {
    using folder = new Folder({ 'crd.yaml': sizedDefinition(3), 'suite.yaml': sizeSuite(4) });
    const mended = new AssayProcess(['test', folder.path, '-w']);
    await mended.says('Failed: 1');
    folder.write('crd.yaml', sizedDefinition(4));
    await mended.says('Passed: 1');
    mended.signal('SIGINT');
    expect(await mended.ended).toBe(0);
    folder.write('suite.yaml', 'name: [');
    const broken = new AssayProcess(['test', folder.path, '-w']);
    await broken.says('suite.yaml: yaml: line 1');
    broken.signal('SIGTERM');
    expect(await broken.ended).toBe(2);
  });
});
