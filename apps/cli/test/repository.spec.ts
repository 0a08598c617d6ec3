import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { FileAccess } from '../src/files/file-access.ts';
import { filesBelow } from '../src/files/files-below.ts';
import { runAssay } from '../../../testing/run-assay.ts';
import { readCommand } from './read-command.ts';

const CRD = JSON.stringify(customDefinition({ kind: 'Widget', schema: { type: 'object' } }));
const WIDGET = JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one', namespace: 'a' } });

/** Creates a git repository, and a file with a secret outside of it. Returns their paths. */
function folders(): { repository: string; inner: string; secret: string } {
  const top = mkdtempSync(join(tmpdir(), 'assay-repository-'));
  const [repository, secret] = [join(top, 'repository'), join(top, 'secret.yaml')];
  const inner = join(repository, 'inner');
  mkdirSync(inner, { recursive: true });
  mkdirSync(join(repository, '.git'));
  writeFileSync(secret, 'password: hidden');
  writeFileSync(join(repository, 'widget.json'), WIDGET);
  return { repository, inner, secret };
}

describe('a settings file of a repository', () => {
  it.each([
    ['an address', 'https://example.com/crds.yaml', /settings fetch nothing/],
    ['an address in capitals', 'HTTPS://example.com/crds.yaml', /settings fetch nothing/],
    ['a path outside', '../secret.yaml', /outside of the repository/],
    ['an absolute path outside', '/etc/hostname', /outside of the repository/],
    ['a way out and in again', 'inner/../../secret.yaml', /outside of the repository/],
  ])('cannot name %s', (_, path, problem) => {
    const { repository } = folders();
    writeFileSync(join(repository, '.assay.yaml'), JSON.stringify({ paths: [path] }));
    expect(() => readCommand(['evaluate'], repository)).toThrow(problem);
    writeFileSync(join(repository, '.assay.yaml'), JSON.stringify({ crds: path }));
    expect(() => readCommand(['evaluate', 'widget.json'], repository)).toThrow(problem);
  });

  it('cannot use a link to reach files outside', () => {
    const { repository, secret } = folders();
    symlinkSync(secret, join(repository, 'link.yaml'));
    writeFileSync(join(repository, '.assay.yaml'), 'paths: [link.yaml]');
    expect(() => readCommand(['evaluate'], repository)).toThrow(/outside of the repository/);
  });

  it('can name files of the whole repository from a folder in it', () => {
    const { repository, inner } = folders();
    writeFileSync(join(inner, '.assay.yaml'), 'paths: [../widget.json]');
    expect(readCommand(['evaluate'], inner)).toMatchObject({ paths: ['../widget.json'] });
    expect(readCommand(['evaluate', '/etc/hostname'], repository)).toMatchObject({ paths: ['/etc/hostname'] });
  });
});

describe('a symbolic link in a repository', () => {
  it('is reported and not followed if it leads outside, and followed if it leads inside', () => {
    const { repository, inner, secret } = folders();
    symlinkSync(secret, join(inner, 'secret.yaml'));
    symlinkSync('/proc', join(inner, 'system'));
    symlinkSync('../widget.json', join(inner, 'widget.json'));
    const reported: string[] = [];
    const { files } = filesBelow(inner, {
      wanted: (path) => /\.(?:yaml|json)$/.test(path),
      reportProblem: (problem) => reported.push(problem),
      access: new FileAccess(),
    });
    expect(files).toEqual([join(inner, 'widget.json')]);
    expect(reported.map((problem) => problem.replace(repository, ''))).toEqual([
      '/inner/secret.yaml: a link that leads out of the repository; name it to have it read',
      '/inner/system: a link that leads out of the repository; name it to have it read',
    ]);
  });
});

describe('a folder of definitions', () => {
  const evaluate = async (repository: string, crds: string): Promise<{ status: unknown; text: string }> => {
    const { status, stdout, stderr } = await runAssay(['evaluate', join(repository, 'widget.json'), '--crds', crds]);
    return { status, text: stdout + stderr };
  };

  it('is read without opening pipes and devices', async () => {
    const { repository, inner } = folders();
    execFileSync('mkfifo', [join(inner, 'example.com_widget.yaml')]);
    execFileSync('mkfifo', [join(inner, 'chart.tgz')]);
    symlinkSync('/dev/zero', join(inner, 'widget.example.com.yaml'));
    writeFileSync(join(inner, 'z.json'), CRD);
    const { status, text } = await evaluate(repository, inner);
    expect(text).toMatch(/example\.com_widget\.yaml: not a file, but a named pipe/);
    expect(text).toMatch(/chart\.tgz: not a file, but a named pipe/);
    expect(text).toMatch(/1 object and 1 definition/);
    expect(status).not.toBe(0);
  });

  it('is read up to one common limit for all archives in it', async () => {
    const { repository, inner } = folders();
    const bomb = gzipSync(Buffer.alloc(60 * 1024 * 1024));
    for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(inner, `${name}.tgz`), bomb);
    const { text } = await evaluate(repository, inner);
    expect(text).toMatch(/c\.tgz: unpacked it and those before it are larger than 134217728 bytes/);
    expect(text).toMatch(/d\.tgz: unpacked it and those before it are larger/);
  });
});
