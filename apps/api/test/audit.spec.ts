import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serviceTelemetry } from '#telemetry';
import { keysFile, sha256 } from './keys-file.ts';
import { startApi } from './start-api.ts';
import { widget, widgets } from './widgets.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'assay-audit-'));
const batch = JSON.stringify({ definitions: [widgets], objects: [widget('a', [1]), widget('b', ['x'])] });

/** Starts a service, sends it the requests of `ask`, and returns the lines of its audit log. */
async function audited(settings: NodeJS.ProcessEnv, ask: (url: string) => Promise<void>): Promise<Record<string, unknown>[]> {
  const file = join(folder(), 'audit.log');
  const { app, url } = await startApi({ ASSAY_AUDIT_FILE: file, ...settings });
  await ask(url);
  await app.close();
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function post(url: string, headers: Record<string, string> = {}, path = '/evaluate'): Promise<void> {
  const sent = { 'content-type': 'application/json', 'x-request-id': 'the-request', 'user-agent': 'a-test', ...headers };
  await (await fetch(`${url}${path}`, { method: 'POST', headers: sent, body: batch })).text();
}

describe('the audit log', () => {
  it('records who requested what, and the result', async () => {
    const keys = keysFile([{ name: 'alpha', sha256: sha256('token-alpha') }]);
    const [evaluated, refused, ...more] = await audited({ ASSAY_AUDIT_LEVEL: 'metadata', ASSAY_KEYS_FILE: keys }, async (url) => {
      await post(url, { authorization: 'Bearer token-alpha' }, '/evaluate?kubernetesVersion=1.33');
      await post(url, { authorization: 'Bearer guess' });
      await fetch(`${url}/livez`);
    });
    expect(more).toEqual([]);
    expect(evaluated).toMatchObject({
      kind: 'Event',
      apiVersion: 'audit.assay/v1',
      level: 'metadata',
      auditID: 'the-request',
      stage: 'ResponseComplete',
      verb: 'POST',
      requestURI: '/evaluate?kubernetesVersion=1.33',
      user: { username: 'alpha' },
      sourceIPs: [expect.stringContaining('127.0.0.1')],
      userAgent: 'a-test',
      responseStatus: { code: 200 },
      kubernetesVersion: '1.33',
      definitions: [{ name: 'widgets.example.com', digest: expect.stringMatching(/^[0-9a-f]{64}$/) }],
      summary: { items: 2, accepted: 1, rejected: 1 },
    });
    expect(JSON.stringify(evaluated)).not.toContain('"spec"');
    expect(refused).toMatchObject({ user: {}, responseStatus: { code: 401 } });
    expect(JSON.stringify([evaluated, refused])).not.toMatch(/token-alpha|guess/);
  });

  it('contains the body of requests if the settings demand that', async () => {
    const [event] = await audited({ ASSAY_AUDIT_LEVEL: 'request' }, post);
    expect(event).toMatchObject({ requestObject: batch, requestBytes: batch.length });
  });

  it('is rotated when it is large: a limited number of files remain, which only their owner can read', async () => {
    const file = join(folder(), 'audit.log');
    const { app, url } = await startApi({
      ASSAY_AUDIT_LEVEL: 'request',
      ASSAY_AUDIT_FILE: file,
      ASSAY_AUDIT_MAX_BYTES: '2048',
      ASSAY_AUDIT_FILES: '2',
    });
    for (let i = 0; i < 12; i++) await post(url);
    await app.close();
    const names = readdirSync(join(file, '..')).toSorted();
    expect(names).toEqual(['audit.log', 'audit.log.1', 'audit.log.2']);
    for (const name of names) {
      expect(statSync(join(file, '..', name)).mode & 0o777).toBe(0o600);
      for (const line of readFileSync(join(file, '..', name), 'utf8').split('\n'))
        expect(() => line === '' || JSON.parse(line)).not.toThrow();
    }
  });

  it('prevents the start if its file cannot be written', async () => {
    const settings = { ASSAY_AUDIT_LEVEL: 'metadata', ASSAY_AUDIT_FILE: '/nowhere/audit.log' };
    await expect(startApi(settings)).rejects.toThrow('ASSAY_AUDIT_FILE: /nowhere/audit.log cannot be written');
  });

  it.skipIf(!existsSync('/dev/full'))('reports a full disk without stopping requests', async () => {
    const reported: string[] = [];
    const note = (_: object, message: string): void => void reported.push(message);
    const telemetry = await serviceTelemetry({ info: note, warn: note, error: note, fatal: note });
    const { app, url } = await startApi({ ASSAY_AUDIT_LEVEL: 'metadata', ASSAY_AUDIT_FILE: '/dev/full' }, telemetry);
    const headers = { 'content-type': 'application/json' };
    for (let i = 0; i < 3; i++) expect((await fetch(`${url}/evaluate`, { method: 'POST', headers, body: batch })).status).toBe(200);
    await app.close();
    expect(reported).toContain('audit events are lost');
  });
});
