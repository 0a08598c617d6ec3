import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../testing/free-port.ts';
import { thorough } from '../../testing/thorough.ts';
import { BILL_PATH, buildImage } from './build-image.ts';
import { IMAGE_SETTINGS } from './image-settings.ts';
import { digestOf } from './layer.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const isolates = spawnSync('bwrap', ['--unshare-user', '--uid', '1000', '--ro-bind', '/', '/', 'true']).status === 0;
if (thorough && !isolates) console.warn('SKIPPED: the image was not started, as bubblewrap (bwrap) is absent or may not make namespaces');

interface Descriptor {
  digest: string;
  size: number;
}

/** Tests that run only in thorough test runs, because the image has 80 MB and takes ten seconds to build. */
describe.skipIf(!thorough || process.platform !== 'linux')('the image', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-image-'));
  const rootfs = join(folder, 'rootfs');
  const blobs = new Map<string, Uint8Array>();
  const read = (name: string): unknown => JSON.parse(Buffer.from(blobs.get(name)!).toString());
  const blob = ({ digest }: Descriptor) => `blobs/${digest.replace(':', '/')}`;
  let digest = '';
  let archive = '';

  beforeAll(async () => {
    const image = await buildImage(ROOT, 'assay:latest');
    digest = image.digest;
    archive = digestOf(image.bytes);
    for (const { header, data } of await unpackTar(image.bytes)) blobs.set(header.name, data!);
    mkdirSync(rootfs);
    for (const layer of manifest().layers) execFileSync('tar', ['-xzf', '-', '-C', rootfs], { input: blobs.get(blob(layer))! });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const manifest = () => {
    const [first] = (read('index.json') as { manifests: Descriptor[] }).manifests;
    return read(blob(first!)) as { config: Descriptor; layers: Descriptor[]; annotations: Record<string, string> };
  };

  it('is identical, byte by byte, if it is built again', async () => {
    const again = await buildImage(ROOT, 'assay:latest');
    expect(again.digest).toBe(digest);
    expect(digestOf(again.bytes)).toBe(archive);
  });

  it('states the digests and sizes of its layers, before and after compression', () => {
    const { config, layers } = manifest();
    for (const part of [config, ...layers]) {
      expect(digestOf(blobs.get(blob(part))!)).toBe(part.digest);
      expect(blobs.get(blob(part))!.length).toBe(part.size);
    }
    const { rootfs: made } = read(blob(config)) as { rootfs: { diff_ids: string[] } };
    expect(layers.map((layer) => digestOf(gunzipSync(blobs.get(blob(layer))!)))).toEqual(made.diff_ids);
    const [docker] = read('manifest.json') as { Config: string; Layers: string[] }[];
    expect(docker).toMatchObject({ Config: blob(config), Layers: layers.map(blob) });
  });

  it('contains a list of its parts, to which its annotations refer', () => {
    const bytes = readFileSync(join(rootfs, BILL_PATH));
    expect(manifest().annotations['assay.sbom.digest']).toBe(digestOf(bytes));
    const { components } = JSON.parse(bytes.toString()) as { components: { purl: string }[] };
    const parts = components.map(({ purl }) => purl);
    expect(parts).toContain(`pkg:generic/node@${process.versions.node}`);
    expect(parts.filter((purl) => purl.startsWith('pkg:deb/debian/libc6@'))).toHaveLength(1);
    expect(parts.some((purl) => purl.startsWith('pkg:npm/fastify@'))).toBe(true);
    expect(parts.some((purl) => purl.startsWith('pkg:npm/vitest@'))).toBe(false);
  });

  describe.skipIf(!isolates)('started without privileges, with a root file system that is read-only,', () => {
    const data = join(folder, 'data');
    const settings = Object.fromEntries(IMAGE_SETTINGS.Env.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
    /** Returns bubblewrap's arguments before the command. They restrict the process to the image and /data, and to the image's user. */
    const isolated = (env: Record<string, string>) => {
      const alone = '--unshare-user --unshare-pid --unshare-ipc --uid 1000 --gid 1000 --cap-drop ALL --die-with-parent --clearenv';
      const mounts = ['--ro-bind', rootfs, '/', '--proc', '/proc', '--dev', '/dev', '--bind', data, '/data'];
      const variables = Object.entries({ ...settings, ...env }).flatMap(([name, value]) => ['--setenv', name, value]);
      return [...alone.split(' '), ...mounts, ...variables, '--chdir', IMAGE_SETTINGS.WorkingDir];
    };
    const run = (command: readonly string[], env: Record<string, string> = {}) =>
      spawnSync('bwrap', [...isolated(env), ...command], { encoding: 'utf8' });

    beforeAll(() => mkdirSync(data, { recursive: true }));

    it('evaluates, becomes healthy, writes only to /data, and ends at SIGTERM', async () => {
      const port = await freePort();
      const env = { PORT: String(port), HOST: '127.0.0.1', ASSAY_THREADS: '1' };
      // The signal must reach the service itself, so no process of bubblewrap is between.
      const service = spawn('bwrap', [...isolated(env), ...IMAGE_SETTINGS.Cmd], { stdio: ['ignore', 'pipe', 'pipe'] });
      let log = '';
      for (const stream of [service.stdout, service.stderr]) stream.on('data', (block) => (log += String(block)));
      const ended = new Promise<number | null>((done) => service.on('exit', done));
      try {
        await ready(port, service, () => log);
        const health = spawnSync('bwrap', [...isolated(env), ...IMAGE_SETTINGS.Healthcheck.Test.slice(1)], { encoding: 'utf8' });
        expect(health).toMatchObject({ status: 0 });
        const answer = await fetch(`http://127.0.0.1:${port}/evaluate`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ definitions: [WIDGETS], objects: [widget(1), widget(-1)] }),
        });
        expect(answer.status).toBe(200);
        expect(await answer.json()).toMatchObject({ summary: { accepted: 1, rejected: 1 } });
      } finally {
        terminate(service);
      }
      expect(await ended, log).toBe(0);
    });

    it('cannot write outside of /data, and has no shell', () => {
      const write = (path: string) => run(['node', '-e', `require('fs').writeFileSync(${JSON.stringify(path)}, 'x')`]);
      for (const path of ['/assay/x', '/tmp/x', '/etc/x', '/home/node/x']) expect(write(path).stderr).toMatch(/EROFS|EACCES/);
      expect(write('/data/x')).toMatchObject({ status: 0 });
      expect(run(['/bin/sh', '-c', 'true']).status).not.toBe(0);
      expect(run(['node', '-p', 'process.getuid()']).stdout).toBe('1000\n');
    });

    it('can be a worker, and contains the command line', () => {
      expect(run(['node', 'dist/package/cli/assay.cjs', '--version']).stdout).toContain('0.');
      const worker = run(IMAGE_SETTINGS.Cmd, { ASSAY_ROLE: 'worker' });
      expect(worker.status).toBe(1);
      expect(worker.stderr + worker.stdout).toContain('ASSAY_REDIS_URL');
    });
  });
});

const WIDGETS = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { size: { type: 'integer' } }, 'x-kubernetes-validations': [{ rule: 'self.size > 0' }] },
            },
          },
        },
      },
    ],
  },
};
const widget = (size: number) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: `w${size}`, namespace: 'default' },
  spec: { size },
});

/**
 * Waits until the service says that it listens on the port, and is ready. Throws an error with the service's log if the service ends before
 * that.
 */
async function ready(port: number, service: ChildProcess, log: () => string): Promise<void> {
  for (;;) {
    if (service.exitCode !== null) throw new Error(`the service ended with ${service.exitCode}: ${log()}`);
    const url = `http://127.0.0.1:${port}`;
    const answer = log().includes(`Assay listens on ${url} (`) ? await fetch(`${url}/readyz`).catch(() => undefined) : undefined;
    if (answer?.ok) return;
    await new Promise((later) => setTimeout(later, 100));
  }
}

/** Sends SIGTERM directly to the service process, because bubblewrap does not forward signals to it. */
function terminate(service: ChildProcess): void {
  if (service.exitCode !== null) return;
  const children = (pid: number) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  // With its own process namespace, bubblewrap's child is the first process in it, and the service is the child of that process.
  const [inner] = children(service.pid!);
  process.kill(children(inner!)[0] ?? inner!, 'SIGTERM');
}
