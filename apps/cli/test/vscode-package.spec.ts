import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'assay-vsix-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Script that loads and starts the VS Code extension as the editor does. The module of the editor is replaced by a stub in which every
 * member is a class.
 */
const LOADER = `
const Module = require('node:module');
const settings = { command: ['assay', 'lsp'], definitions: ['crds'], kubernetesVersions: ['1.30'] };
const asked = [];
const member = () => new Proxy(class {}, { get: (target, name) => (name in target ? target[name] : 0) });
const vscode = new Proxy({ workspace: { getConfiguration: (name) => (asked.push(name), { get: (key) => settings[key] }) } }, {
  get: (target, name) => target[name] ?? (target[name] = member()),
});
const load = Module._load;
Module._load = (name, ...others) => (name === 'vscode' ? vscode : load(name, ...others));
const extension = require(process.argv[1]);
extension.activate().catch(() => undefined).finally(() => {
  console.log(JSON.stringify({ exported: Object.keys(extension), asked }));
  process.exit();
});
`;

describe('the package for Visual Studio Code', () => {
  it('contains the extension with all its files', () => {
    const file = join(folder, 'assay.vsix');
    const packaged = spawnSync(process.execPath, [join(ROOT, 'scripts/package-vscode.mjs'), file], { encoding: 'utf8' });
    expect(packaged.stderr).toBe('');
    const entries = unzipSync(new Uint8Array(readFileSync(file)));
    expect(Object.keys(entries)).toEqual(expect.arrayContaining(['extension.vsixmanifest', '[Content_Types].xml']));
    for (const [name, bytes] of Object.entries(entries)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
    }
    const description = JSON.parse(strFromU8(entries['extension/package.json'] as Uint8Array)) as { main: string };
    const loaded = spawnSync(process.execPath, ['-e', LOADER, resolve(folder, 'extension', description.main)], { encoding: 'utf8' });
    expect(loaded.stderr).toBe('');
    expect(JSON.parse(loaded.stdout)).toEqual({
      exported: ['activate', 'deactivate'],
      asked: expect.arrayContaining(['assay']) as string[],
    });
  });
});
