import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keysFile, sha256 } from './keys-file.ts';
import { startApi } from './start-api.ts';

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** Creates a folder with the same layout as the built web page, but with little content, and returns its path. */
function madeUpPage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-page-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>made up</title>');
  writeFileSync(join(folder, 'assets/index-AbC.js'), 'let a = 1;'.repeat(500));
  writeFileSync(join(folder, 'assets/index-AbC.js.br'), brotliCompressSync('let a = 1;'.repeat(500)));
  writeFileSync(join(folder, 'assets/worker-XyZ_-1.js'), 'let b;');
  return folder;
}

let app: NestFastifyApplication;
let url: string;
beforeAll(async () => {
  ({ app, url } = await startApi({ ASSAY_PAGE_FOLDER: madeUpPage() }));
});
afterAll(() => app.close());

/** Sends a request and returns the bytes of the answer body without decompressing them. */
const raw = (path: string, encoding: string): Promise<{ readonly headers: NodeJS.Dict<string | string[]>; readonly body: Buffer }> =>
  new Promise((resolve, reject) => {
    request(`${url}${path}`, { headers: { 'accept-encoding': encoding } }, (answer) => {
      const blocks: Buffer[] = [];
      answer
        .on('data', (block: Buffer) => blocks.push(block))
        .on('end', () => resolve({ headers: answer.headers, body: Buffer.concat(blocks) }));
    })
      .on('error', reject)
      .end();
  });

describe('the start page of the service', () => {
  it('is HTML for browsers, with a content security policy that blocks other origins', async () => {
    const answer = await fetch(url, { headers: HTML });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(answer.headers.get('vary')).toMatch(/accept/i);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(await answer.text()).toContain('made up');
  });

  it('is a list of endpoints for programs', async () => {
    for (const accept of ['*/*', 'application/json']) {
      const answer = await fetch(url, { headers: { accept } });
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      const directory = (await answer.json()) as { readonly operations: string[]; readonly health: string[] };
      expect(directory).toMatchObject({ name: 'assay', documentation: '/docs', health: ['/livez', '/healthz', '/readyz', '/metrics'] });
      const { paths } = (await (await fetch(`${url}/docs-json`)).json()) as { readonly paths: object };
      expect([...directory.operations, ...directory.health].toSorted()).toEqual(Object.keys(paths).toSorted());
    }
  });

  it('has scripts that browsers may cache for a year, and that the build compressed', async () => {
    const { headers, body } = await raw('/assets/index-AbC.js', 'br');
    expect(headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringMatching(/^(text|application)\/javascript/) as string,
    });
    expect(brotliDecompressSync(body).toString()).toBe('let a = 1;'.repeat(500));
    expect((await raw('/assets/index-AbC.js', 'identity')).body.toString()).toBe('let a = 1;'.repeat(500));
  });

  it('has a worker that may run generated code, but may not use the network', async () => {
    const policy = (await fetch(`${url}/assets/worker-XyZ_-1.js`)).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self' 'unsafe-eval'");
    expect(policy).toContain("connect-src 'none'");
  });

  it.each(['/assets/../../package.json', '/assets/%2e%2e/%2e%2e/etc/passwd', '/assets/none.js', '/assets/'])(
    'has no file %s',
    async (path) => {
      const { headers } = await raw(path, 'identity');
      expect(headers['content-type']).toMatch(/json/);
    },
  );

  it('rejects other methods, and names the supported methods', async () => {
    const answer = await fetch(url, { method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

it('the start page and its files need no key even if other requests do', async () => {
  const keyed = await startApi({ ASSAY_PAGE_FOLDER: madeUpPage(), ASSAY_KEYS_FILE: keysFile([{ name: 'alpha', sha256: sha256('t') }]) });
  try {
    expect((await fetch(keyed.url, { headers: HTML })).status).toBe(200);
    expect((await fetch(`${keyed.url}/assets/index-AbC.js`)).status).toBe(200);
    expect((await fetch(`${keyed.url}/evaluations/x`)).status).toBe(401);
  } finally {
    await keyed.app.close();
  }
});

it('the setting for the address of traces accepts only web addresses', async () => {
  const traced = await startApi({ ASSAY_PAGE_FOLDER: '', ASSAY_TRACE_PAGE: 'https://traces.example.com/trace/{traceId}' });
  try {
    expect(await (await fetch(traced.url)).json()).toMatchObject({ traces: 'https://traces.example.com/trace/{traceId}' });
  } finally {
    await traced.app.close();
  }
  await expect(startApi({ ASSAY_TRACE_PAGE: 'javascript:alert(1)' })).rejects.toThrow(/ASSAY_TRACE_PAGE/);
});

it('without built files, the start page is a list of endpoints', async () => {
  const bare = await startApi({ ASSAY_PAGE_FOLDER: '' });
  try {
    expect(await (await fetch(bare.url, { headers: HTML })).json()).toMatchObject({ name: 'assay' });
  } finally {
    await bare.app.close();
  }
});
