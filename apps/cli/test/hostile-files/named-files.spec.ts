import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { ASSAY } from '../assay-process.ts';
import { freshRun, measuredRun } from './measured-run.ts';

const DEFINITION = JSON.stringify(customDefinition({ kind: 'Widget', schema: { type: 'object' } }));
const WIDGET = JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one' } });

/** Creates a git repository whose settings name its own definition, beside a folder with other files. Returns both paths. */
function folders(): { repository: string; outside: string } {
  const top = mkdtempSync(join(tmpdir(), 'assay-named-'));
  const [repository, outside] = [join(top, 'repository'), join(top, 'outside')];
  mkdirSync(join(repository, '.git'), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(repository, '.assay.yaml'), 'paths: [crd.yaml]\n');
  writeFileSync(join(repository, 'crd.yaml'), DEFINITION);
  writeFileSync(join(outside, 'crd.yaml'), DEFINITION);
  writeFileSync(join(outside, 'widget.json'), WIDGET);
  writeFileSync(join(outside, 'rules.txt'), '[]');
  symlinkSync('../outside/crd.yaml', join(repository, 'link.yaml'));
  symlinkSync('../outside', join(repository, 'folder'));
  return { repository, outside };
}

describe('files that the command line names may be anywhere', () => {
  it.each([
    ['a file', ['evaluate', '../outside/crd.yaml'], '1 definition in 1 file'],
    ['a link', ['evaluate', 'link.yaml'], '1 definition in 1 file'],
    ['a link to a folder', ['evaluate', 'folder'], '1 object and 1 definition in 2 files'],
    ['a pattern', ['evaluate', '../out{side,}/[cw]*'], '1 object and 1 definition'],
    ['a catalogue', ['evaluate', '../outside/widget.json', '--crds', '../outside'], '1 object and 1 definition'],
    ['older objects, if the settings name the paths', ['evaluate', '--old', '../outside/widget.json'], '1 definition in 1 file'],
    ['a schema', ['eval', 'true', '--schema', '../outside/crd.yaml', '--object', '../outside/widget.json'], 'true'],
    ['both states', ['what-if', '--from', '../outside/crd.yaml', '--to', '../outside/crd.yaml', '../outside/widget.json'], '1 unaffected'],
    ['rules', ['evaluate', '../outside/crd.yaml', '--authorizer', '../outside/rules.txt'], '1 definition in 1 file'],
  ])('%s', async (_, argv, text) => {
    const { status, text: output } = await measuredRun(folders().repository, argv);
    expect(output).toContain(text);
    expect(status).toBe(0);
  });
});

describe('files that the command line names have size limits', () => {
  it.each([
    ['a device', '/dev/zero', /\/dev\/zero: larger than 1 MiB/],
    ['a large file', 'sparse.yaml', /sparse\.yaml: larger than 1024 MiB/],
    ['a folder in place of rules', ['--authorizer', '/tmp', 'crd.yaml'], /a folder, not a file/],
  ])('%s', async (_, argv, problem) => {
    const { repository } = folders();
    writeFileSync(join(repository, 'sparse.yaml'), '');
    truncateSync(join(repository, 'sparse.yaml'), 8 * 1024 ** 3);
    const { status, text, peakMib } = await measuredRun(repository, ['evaluate', ...[argv].flat()]);
    expect(text).toMatch(problem);
    expect(status).toBe(2);
    expect(peakMib).toBeLessThan(400);
  });

  it('and a pipe without a writer ends at --timeout', async () => {
    const { repository } = folders();
    execFileSync('mkfifo', [join(repository, 'pipe')]);
    const { status, text, ms } = await freshRun(repository, ['evaluate', 'pipe', '--timeout', '500ms']);
    expect(text).toContain('stopped after 500 ms');
    expect(status).toBe(1);
    expect(ms).toBeLessThan(10_000);
  });

  it.each([
    ['a pipe whose writer comes late', 'mkfifo p; (sleep 1; cat crd.yaml > p) & ASSAY evaluate p'],
    ['rules from a pipe', 'ASSAY evaluate crd.yaml --authorizer <(sleep 1; echo "[]")'],
    ['standard input as a file', 'ASSAY evaluate /dev/stdin < crd.yaml'],
    ['standard input as a pipe', 'cat crd.yaml | ASSAY evaluate /dev/stdin'],
  ])('but %s is read', (_, line) => {
    const script = line.replace('ASSAY', `'${process.execPath}' '${ASSAY}'`);
    expect(execFileSync('bash', ['-c', script], { cwd: folders().repository, encoding: 'utf8' })).toContain('1 definition in 1 file');
  });
});
