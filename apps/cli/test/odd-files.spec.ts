import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { FileAccess } from '../src/files/file-access.ts';
import { filesBelow } from '../src/files/files-below.ts';
import { readInputs } from '../src/documents/read-inputs.ts';
import { UsageError } from '../src/usage.ts';
import { runAssay } from '../../../testing/run-assay.ts';

const folderOf = (): string => mkdtempSync(join(tmpdir(), 'assay-odd-files-'));
const definition = JSON.stringify(customDefinition({ kind: 'Widget', schema: { type: 'object' } }));

/** Reads a folder. Returns the names of the files that were read, and the problems that were reported. Paths are relative to the folder. */
async function read(folder: string): Promise<{ files: string[]; problems: string[] }> {
  const problems: string[] = [];
  const inputs = await readInputs([folder], (problem) => problems.push(problem.replace(`${folder}/`, '')));
  return { files: inputs.map(({ name }) => name.replace(`${folder}/`, '')), problems };
}

describe('a folder that a command reads', () => {
  it('is walked once, even if links lead back to it', async () => {
    const folder = folderOf();
    mkdirSync(join(folder, 'a'));
    writeFileSync(join(folder, 'a', 'x.yaml'), definition);
    symlinkSync('..', join(folder, 'a', 'l1'));
    symlinkSync('..', join(folder, 'a', 'l2'));
    symlinkSync('x.yaml', join(folder, 'a', 'y.yaml'));
    expect(await read(folder)).toEqual({ files: ['a/x.yaml'], problems: [] });
  });

  it('reports each entry that is not a file, and gives the files', async () => {
    const folder = folderOf();
    writeFileSync(join(folder, 'good.yaml'), definition);
    symlinkSync('user@host.4711', join(folder, '.#x.yaml'));
    symlinkSync('loop.yaml', join(folder, 'loop.yaml'));
    mkdirSync(join(folder, 'folder.yaml'));
    writeFileSync(join(folder, 'folder.yaml', 'inner.yml'), definition);
    spawnSync('mkfifo', [join(folder, 'pipe.yaml'), join(folder, 'not-asked-for')]);
    const server = createServer();
    await new Promise<void>((done) => server.listen(join(folder, 'socket.yaml'), done));
    expect(await read(folder)).toEqual({
      files: ['folder.yaml/inner.yml', 'good.yaml'],
      problems: [
        '.#x.yaml: no such file or folder, or a link to one that is not there',
        'loop.yaml: a link that leads back to itself',
        'pipe.yaml: not a file, but a named pipe',
        'socket.yaml: not a file, but a socket',
      ],
    });
    await new Promise((done) => server.close(done));
  });

  it('is reported if it does not exist', () => {
    const problems: string[] = [];
    const missing = join(folderOf(), 'gone');
    filesBelow(missing, { wanted: () => true, reportProblem: (problem) => problems.push(problem), access: new FileAccess() });
    expect(problems).toEqual([`${missing}: no such file or folder, or a link to one that is not there`]);
  });
});

it('a command reads a file once if the arguments name it twice', async () => {
  const file = join(folderOf(), 'x.yaml');
  writeFileSync(file, definition);
  const inputs = await readInputs([file, file, join(file, '..')], (problem) => expect(problem).toBe(undefined));
  expect(inputs).toHaveLength(1);
});

it('a command rejects a path that does not exist', async () => {
  await expect(readInputs([join(folderOf(), 'gone.yaml')], () => undefined)).rejects.toThrow(UsageError);
});

it('a command exits with status 2 for an unreadable file, and evaluates the others', async () => {
  const folder = folderOf();
  writeFileSync(join(folder, 'good.yaml'), definition);
  symlinkSync('gone', join(folder, 'x.yaml'));
  const assay = await runAssay(['evaluate', folder]);
  expect(assay.status).toBe(2);
  expect(assay.stdout).toContain('1 definition in 1 file');
  expect(assay.stderr).toContain('assay: ');
  expect(assay.stderr).toContain('x.yaml: no such file');
});

it.skipIf(process.getuid?.() === 0)('a command names a file without read permission', async () => {
  const file = join(folderOf(), 'x.yaml');
  writeFileSync(file, definition);
  chmodSync(file, 0);
  const assay = await runAssay(['evaluate', file]);
  expect(assay.status).toBe(2);
  expect(assay.stderr).toContain('x.yaml: no permission to read it');
});
