import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { FileAccess } from '../src/files/file-access.ts';
import { readInputs } from '../src/documents/read-inputs.ts';
import { AssayProcess } from './assay-process.ts';
import { AssayHost, runAssay } from '../../../testing/run-assay.ts';
import type { AssayRun } from '../../../testing/run-assay.ts';

const definition = JSON.stringify(customDefinition({ kind: 'Widget', schema: { type: 'object' } }));
const widget = '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"}}';

/** Creates a temporary folder with the given files, each given as its path and its text. Returns the path of the folder. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-reading-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Reads a path below a folder. Returns the names of the files that were read, relative to the folder. */
async function read(folder: string, path = '', ignore = true): Promise<string[]> {
  const fail = (problem: string): never => expect.fail(problem);
  const inputs = await readInputs([join(folder, path)], fail, { ignore, offline: true, access: new FileAccess() });
  return inputs.map(({ name }) => name.replace(`${folder}/`, ''));
}

describe('.gitignore', () => {
  const files = {
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.gitignore': 'out/\n*.gen.yaml\n!kept.gen.yaml\n',
    'a.yaml': widget,
    'b.gen.yaml': widget,
    'kept.gen.yaml': widget,
    'out/c.yaml': widget,
    'sub.yaml/d.yaml': widget,
    'sub.yaml/.gitignore': '/e.yaml\n!f.gen.yaml\n',
    'sub.yaml/e.yaml': widget,
    'sub.yaml/f.gen.yaml': widget,
    'sub.yaml/in/e.yaml': widget,
  };
  const kept = ['a.yaml', 'kept.gen.yaml', 'sub.yaml/d.yaml', 'sub.yaml/f.gen.yaml', 'sub.yaml/in/e.yaml'];

  it('excludes the files of a folder that git ignores', async () => {
    const folder = folderOf(files);
    expect(await read(folder)).toEqual(kept);
    expect(await read(folder, 'sub.yaml')).toEqual(kept.filter((name) => name.startsWith('sub')));
    spawnSync('git', ['init', '-q', folder]);
    const listed = spawnSync('git', ['-C', folder, 'ls-files', '--others', '--exclude-standard'], { encoding: 'utf8' }).stdout;
    expect(listed.split('\n').filter((name) => name.endsWith('.yaml'))).toEqual(kept);
  });

  it('does not apply to files that the command line names, or with --no-ignore', async () => {
    const folder = folderOf(files);
    expect(await read(folder, 'out')).toEqual(['out/c.yaml']);
    expect(await read(folder, 'b.gen.yaml')).toEqual(['b.gen.yaml']);
    expect(await read(folder, '', false)).toHaveLength(8);
  });

  it('is mentioned in a message if files are excluded', async () => {
    const run = await runAssay(['evaluate', folderOf({ ...files, 'crd.yaml': definition })]);
    expect(run.status).toBe(0);
    expect(run.stderr).toMatch(/left out by \.gitignore \(--no-ignore reads it\): .*b\.gen\.yaml, .*out, .*e\.yaml\n/);
  });
});

it('a folder is read without the inputs of kustomize and Helm, and a message reports that', async () => {
  const folder = folderOf({
    'crd.yaml': definition,
    'w.yaml': widget,
    'kustomization.yaml': 'resources: [w.yaml]\n',
    'flux/kustomization.yaml': 'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n',
    'values.yaml': '{"apiVersion":"v1","kind":"Secret"}',
    'chart/Chart.yaml': 'name: c\n',
    'chart/values.yaml': 'a: 1\n',
    'chart/templates/d.yaml': 'kind: X\nname: {{ .Values.a }}\n',
    'chart/templates/plain.yaml': widget,
    'loose.yaml': '{{- if .Values.a }}\nkind: X\n{{- end }}\n',
    'env/values.yaml': 'image:\n  kind: x\n',
    'text.yaml': 'apiVersion: v1\nkind: ConfigMap\ndata:\n  a: |\n    {{ no template }}\n',
  });
  const run = await runAssay(['evaluate', folder, '-o', 'json']);
  expect(run.status).toBe(0);
  const shown = run.stderr.replaceAll(`${folder}/`, '');
  expect(shown).toContain(
    'left out, part of a Helm chart, no objects until it is rendered: chart/Chart.yaml, chart/values.yaml, env/values.yaml\n',
  );
  expect(shown).toContain('left out, template, no objects until it is rendered: chart/templates/d.yaml, loose.yaml\n');
  expect(shown).toContain('left out, input of kustomize, no objects until it is rendered: kustomization.yaml\n');
  expect(await read(folder)).toEqual([
    'chart/templates/plain.yaml',
    'crd.yaml',
    'flux/kustomization.yaml',
    'text.yaml',
    'values.yaml',
    'w.yaml',
  ]);
});

it('the command line expands patterns that the shell did not expand', async () => {
  const folder = folderOf({ 'a/crd.yaml': definition, 'b/c/crd.yaml': definition, 'w[1].yaml': widget });
  expect(await read(folder, '**/crd.yaml')).toEqual(['a/crd.yaml', 'b/c/crd.yaml']);
  expect(await read(folder, 'w[1].yaml')).toEqual(['w[1].yaml']);
  await expect(read(folder, '*.json')).rejects.toThrow(/\*\.json: no file matches/);
});

describe('an input that is a web address', () => {
  const folder = folderOf({ 'w.yaml': widget });
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name)) as [string, string];
  spawnSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'].concat([
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      key,
      '-out',
      cert,
    ]),
  );

  let server: Server;
  /** Process that trusts the certificate of the server. Node reads the variable only at its start. */
  let host: AssayHost;
  /** Starts a server with a definition and with redirects. */
  beforeAll(async () => {
    host = new AssayHost({ NODE_EXTRA_CA_CERTS: cert });
    server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, ({ url }, response) => {
      if (url === '/moved') response.writeHead(302, { location: '/crd.yaml' }).end();
      else if (url === '/loop') response.writeHead(302, { location: '/loop' }).end();
      else if (url === '/down') response.writeHead(301, { location: 'http://localhost:1/crd.yaml' }).end();
      else if (url === '/crd.yaml') response.end(definition);
      else if (url === '/endless') for (let i = 0; i < 65; i++) response.write(Buffer.alloc(1024 * 1024, 32));
      else if (url !== '/silent') response.writeHead(404).end();
    });
    await new Promise<void>((done) => server.listen(0, 'localhost', done));
  });
  afterAll(async () => {
    host.kill();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });

  /** Returns the arguments of a command that reads a URL of the server. */
  const argumentsOf = (path: string, more: readonly string[]): readonly string[] => {
    const { port } = server.address() as AddressInfo;
    return ['evaluate', `https://localhost:${port}${path}`, join(folder, 'w.yaml'), ...more];
  };
  const ask = (path: string, ...more: readonly string[]): Promise<AssayRun> => host.run(argumentsOf(path, more));

  it.each(['/crd.yaml', '/moved'])('%s gives a definition', async (path) => {
    const { status, stdout } = await ask(path);
    expect([status, /Accepted: 1/.test(stdout)]).toEqual([0, true]);
  });

  it.each([
    ['/gone', [], 2, /\/gone: answered with status 404/],
    ['/down', [], 2, /\/down: must use https, not http:\/\/localhost:1/],
    ['/loop', [], 2, /redirects more than 5 times/],
    ['/endless', [], 2, /has more than 64 MiB/],
    ['/crd.yaml', ['--offline'], 2, /not fetched because of --offline/],
  ])('%s %j ends with a message', async (path, more, expected, text) => {
    const { status, stderr } = await ask(path, ...more);
    expect(stderr).toMatch(text);
    expect(status).toBe(expected);
  });

  it('ends at --timeout if the server at /silent sends nothing', async () => {
    const assay = new AssayProcess(argumentsOf('/silent', ['--timeout', '500ms']), { NODE_EXTRA_CA_CERTS: cert });
    expect(await assay.ended).toBe(1);
    expect(assay.stderr).toMatch(/stopped after 500 ms/);
  });
});

describe('a rule that runs very long', () => {
  // Each object takes most of the budget of its rule, so all objects take minutes.
  const rule = 'self.all(a, self.all(b, self.all(c, a + b + c >= 0)))';
  const list = { type: 'array', maxItems: 55, items: { type: 'integer' }, 'x-kubernetes-validations': [{ rule }] };
  const numbers = JSON.stringify(Array.from({ length: 55 }, (_, i) => i));
  const runaway = folderOf({
    'crd.yaml': JSON.stringify(customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { l: list } } })),
    'w.ndjson': Array.from({ length: 2000 }, () => widget.replace('}}', `},"l":${numbers}}`)).join('\n'),
  });

  it('is stopped by --timeout, and the remaining objects are reported', async () => {
    const assay = new AssayProcess(['evaluate', runaway, '--timeout', '2s', '-o', 'json']);
    expect(await assay.ended).toBe(1);
    expect(assay.stderr).toContain('stopped after 2000 ms (--timeout)');
    const { definitions, summary } = JSON.parse(assay.stdout) as { definitions: { accepted: boolean }[]; summary: Record<string, number> };
    expect(definitions).toMatchObject([{ accepted: true }]);
    expect(summary).toMatchObject({ items: 2000, rejected: 0 });
    expect(summary['cancelled']).toBeGreaterThan(0);
  });

  it('is stopped at once when the user types Ctrl-C', async () => {
    const assay = new AssayProcess(['evaluate', runaway, '-q']);
    await new Promise((done) => setTimeout(done, 1500));
    const requestedAt = performance.now();
    assay.signal('SIGINT');
    expect(await assay.ended).toBe('SIGINT');
    // All objects together take minutes.
    expect(performance.now() - requestedAt).toBeLessThan(20_000);
  });
});
