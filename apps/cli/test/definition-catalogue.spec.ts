import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { describe, expect, it } from 'vitest';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { ArchiveBudget, readChartArchive } from '../src/catalogue/chart-archive.ts';
import { FileAccess } from '../src/files/file-access.ts';
import { TimedOut, Timeout } from '../src/timeout.ts';
import { runAssay } from '../../../testing/run-assay.ts';
import { thorough } from '../../../testing/thorough.ts';

const definition = (kind: string, group = 'example.com'): string =>
  JSON.stringify(customDefinition({ kind, group, schema: { type: 'object' } }), null, 2);
const object = (kind: string, group = 'example.com'): string =>
  `${JSON.stringify({ apiVersion: `${group}/v1`, kind, metadata: { name: 'o' } })}\n`;

const digest = (content: string | Buffer): string => `sha256:${createHash('sha256').update(content).digest('hex')}`;

/** Writes a catalogue of definitions into a folder and validates objects against it. Returns the result of the command. */
async function judge(
  catalogue: Readonly<Record<string, string | Buffer>>,
  objects: string,
): Promise<{ status: unknown; text: string; stderr: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-catalogue-'));
  for (const [path, text] of Object.entries(catalogue)) {
    mkdirSync(dirname(join(folder, 'crds', path)), { recursive: true });
    writeFileSync(join(folder, 'crds', path), text);
  }
  writeFileSync(join(folder, 'objects.ndjson'), objects);
  const { status, stdout, stderr } = await runAssay(['evaluate', join(folder, 'objects.ndjson'), '--crds', join(folder, 'crds')]);
  return { status, text: stdout, stderr: stderr.replaceAll(`${folder}/`, '') };
}

describe('the option --crds', () => {
  it.each(['example.com_policies.yaml', 'policies.example.com.json', 'example.com/policy_v1.yaml', 'whatever.yaml'])(
    'finds a definition in %s',
    async (path) => {
      const { status, text } = await judge(
        { [path]: definition('Policy'), 'other.yaml': definition('Other'), 'broken.yaml': 'kind: CustomResourceDefinition\nfoo: [' },
        object('Policy'),
      );
      expect(text).toMatch(/1 object and 1 definition in .*Accepted: 1/);
      expect(status).toBe(0);
    },
  );

  it.skipIf(!thorough)('reads only the files of the needed definitions in a folder with ten thousand files', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, i) => [
        `g${i}.example.com_things.yaml`,
        i === 77 ? definition('Thing', 'g77.example.com') : 'a: [',
      ]),
    );
    const { status, text, stderr } = await judge(many, object('Thing', 'g77.example.com'));
    expect([status, stderr]).toEqual([0, '']);
    expect(text).toMatch(/1 object and 1 definition in .*Accepted: 1/);
  });

  it('reports that a JSON Schema is not a definition', async () => {
    const { status, stderr } = await judge({ 'example.com/widget_v1.json': '{"type":"object","properties":{}}' }, object('Widget'));
    expect(stderr).toMatch(/crds\/example\.com\/widget_v1\.json: a JSON Schema, as CRDs-catalog keeps them/);
    expect(status).toBe(1);
  });

  const values = 'kind: CustomResourceDefinition\ngroup: example.com\nkind: Policy\n{{ if .Values.x }}';
  const chart = async (definitionText: string): Promise<Buffer> => {
    const files = {
      'net/Chart.yaml': 'name: net',
      'net/templates/policy.yaml': values,
      'net/charts/inner/crds/policy.yaml': definitionText,
    };
    const entries = Object.entries(files).map(([name, body]) => ({
      header: { name, size: Buffer.byteLength(body), type: 'file' as const },
      body,
    }));
    return gzipSync(await packTar(entries));
  };

  it('reads the folder crds of an unpacked chart, but not its templates', async () => {
    const catalogue = {
      'net/Chart.yaml': 'name: net',
      'net/templates/policy.example.com.yaml': values,
      'net/crds/all.yaml': definition('Policy'),
    };
    const { status, text } = await judge(catalogue, object('Policy'));
    expect(text).toMatch(/1 object and 1 definition in .*Accepted: 1/);
    expect(status).toBe(0);
  });

  it('reads the folder crds of a packed chart, and of a chart inside it', async () => {
    const { status, text, stderr } = await judge({ 'net-1.0.0.tgz': await chart(definition('Policy')) }, object('Policy'));
    expect([status, stderr]).toEqual([0, '']);
    expect(text).toMatch(/1 object and 1 definition in .*Accepted: 1/);
  });

  it('reads charts from an OCI layout', async () => {
    const packed = await chart(definition('Policy'));
    const manifest = JSON.stringify({
      layers: [{ mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip', digest: digest(packed) }],
    });
    const blob = (content: string | Buffer): string => `pulled/blobs/sha256/${digest(content).slice('sha256:'.length)}`;
    const { status, text } = await judge(
      {
        'pulled/oci-layout': '{"imageLayoutVersion":"1.0.0"}',
        'pulled/index.json': JSON.stringify({ manifests: [{ digest: digest(manifest) }, { digest: 'sha256:../../etc' }] }),
        [blob(manifest)]: manifest,
        [blob(packed)]: packed,
      },
      object('Policy'),
    );
    expect(text).toMatch(/1 object and 1 definition in .*Accepted: 1/);
    expect(status).toBe(0);
  });

  it('reports packed charts that cannot be read: an invalid one, and an archive bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(129 * 1024 * 1024));
    const { status, stderr } = await judge({ 'a.tgz': 'nothing', 'b.tgz': bomb }, object('Policy'));
    expect(stderr).toMatch(/crds\/a\.tgz: is no packed chart .*\n.*crds\/b\.tgz: unpacked it and those before it are larger than/);
    expect(status).toBe(2);
  });

  const layers = (hex: string, count: number): object => ({
    layers: Array.from({ length: count }, () => ({
      mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
      digest: `sha256:${hex}`,
    })),
  });
  const bomb = (mib: number): Buffer => gzipSync(Buffer.alloc(mib * 1024 * 1024));
  const hexOf = (content: string | Buffer): string => digest(content).slice('sha256:'.length);

  it('opens no more archives after too much was unpacked from invalid ones', async () => {
    const packed = bomb(129);
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`c${i}.tgz`, packed] as const));
    const begun = performance.now();
    const { status, stderr } = await judge(many, object('Policy'));
    expect(stderr).toMatch(/archives have unpacked more than 536870912 bytes: no further archive is read/);
    expect(stderr.match(/\.tgz: /g)?.length).toBeLessThan(6);
    expect(status).toBe(2);
    expect(performance.now() - begun).toBeLessThan(30_000);
  });

  it.each([
    ['one layer named 20,000 times by one manifest named 20,000 times', 20_000, 20_000, /unpacked it and those before it are larger than/],
    ['more names than the limit', 30_000, 80_000, /archives have more than 100000 names: no further archive is read/, 8],
    ['one manifest named 60,000 times', 60_000, 1, /index\.json: larger than 4 MiB/],
  ])('rejects an OCI layout within 20 s if it has %s', async (_, manifests, named, problem, variants = 1) => {
    const packed = bomb(129);
    const texts = Array.from({ length: variants }, (_, i) => JSON.stringify({ ...layers(hexOf(packed), named / variants), i }));
    const digests = texts.map(digest);
    const begun = performance.now();
    const { status, stderr } = await judge(
      {
        'oci-layout': '{}',
        'index.json': JSON.stringify({ manifests: Array.from({ length: manifests }, (_, i) => ({ digest: digests[i % variants] })) }),
        [`blobs/sha256/${hexOf(packed)}`]: packed,
        ...Object.fromEntries(texts.map((text) => [`blobs/sha256/${hexOf(text)}`, text])),
      },
      object('Policy'),
    );
    expect(stderr).toMatch(problem);
    expect(status).toBe(2);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });

  it('stops unpacking at --timeout', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'assay-archive-')), 'c.tgz');
    writeFileSync(file, bomb(120));
    const read = readChartArchive(file, new FileAccess(new Timeout(20)), new ArchiveBudget());
    await expect(read).rejects.toThrow(TimedOut);
  });

  it('must name a folder', async () => {
    const { status } = await runAssay(['evaluate', import.meta.filename, '--crds', import.meta.filename]);
    expect(status).toBe(2);
  });
});
