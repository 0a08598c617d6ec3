import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sentDigest } from '#documents';
import { compositeDefinition, pool } from '../../../testing/composite-definition.ts';
import { startApi } from './start-api.ts';

let app: NestFastifyApplication;
let url: string;
beforeAll(async () => {
  ({ app, url } = await startApi());
});
afterAll(() => app.close());

const objects = [pool('XPool', 11), pool('Pool', 12), pool('Pool', 3)];
const NOTICE = 'judged as made by Crossplane 2.4 of a CompositeResourceDefinition: xpools.example.org, pools.example.org';

async function send(path: string, body: string, type = 'application/json'): Promise<{ status: number; answer: string }> {
  const response = await fetch(`${url}${path}`, { method: 'POST', headers: { 'content-type': type }, body });
  return { status: response.status, answer: await response.text() };
}

describe('a CompositeResourceDefinition in a request', () => {
  it.each([
    ['JSON', JSON.stringify({ definitions: [compositeDefinition()], objects }), 'application/json'],
    ['YAML', [compositeDefinition(), ...objects].map((one) => JSON.stringify(one)).join('\n---\n'), 'application/yaml'],
  ])('is replaced by the definitions that Crossplane derives from it: %s', async (_, body, type) => {
    const { answer } = await send('/evaluate?locations=true', body, type);
    const { definitions, items, summary } = JSON.parse(answer) as {
      definitions: { name: string; composite: string; location: object }[];
      items: { outcome: string }[];
      summary: { notice: string };
    };
    expect(definitions.map(({ name, composite }) => [name, composite])).toEqual([
      ['xpools.example.org', 'xpools.example.org'],
      ['pools.example.org', 'xpools.example.org'],
    ]);
    expect(definitions.map(({ location }) => location)).toEqual([
      expect.objectContaining({ line: 1 }),
      expect.objectContaining({ line: 1 }),
    ]);
    expect(items.map(({ outcome }) => outcome)).toEqual(['rejected', 'rejected', 'accepted']);
    expect(summary.notice).toContain(NOTICE);
  });

  it.each(['/explain', '/matrix'])('is accepted by %s', async (path) => {
    const { status, answer } = await send(path, JSON.stringify({ definitions: [compositeDefinition()], objects: [] }));
    expect(status).toBe(200);
    expect(answer).toContain('"composite":"xpools.example.org"');
    expect(answer).toContain('pools.example.org');
  });

  it('can be stored, and referenced by its digest', async () => {
    const text = JSON.stringify(compositeDefinition());
    const digest = sentDigest(Buffer.from(text));
    const kept = await fetch(`${url}/definitions/${digest}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: text,
    });
    expect(kept.ok).toBe(true);
    const { answer } = await send('/evaluate', JSON.stringify({ definitionRefs: [digest], objects }));
    expect((JSON.parse(answer) as { items: { outcome: string }[] }).items.map(({ outcome }) => outcome)).toEqual([
      'rejected',
      'rejected',
      'accepted',
    ]);
  });

  it('is replaced by the definition of its composite resource if a request takes only one definition', async () => {
    const { answer } = await send('/definitions', JSON.stringify(compositeDefinition()));
    expect(JSON.parse(answer)).toMatchObject({ report: { name: 'xpools.example.org', accepted: true }, rules: [{ rule: 'self <= 10' }] });
    const change = [{ definitions: [compositeDefinition(), compositeDefinition()] }, pool('XPool', 3)];
    const effects = await send('/what-if?all=true', change.map((one) => JSON.stringify(one)).join('\n'), 'application/x-ndjson');
    expect(effects.answer).toContain('"effect":"unaffected"');
  });

  it('gets a report with the reason if Crossplane derives no definition from it', async () => {
    const { answer } = await send('/evaluate', JSON.stringify({ definitions: [compositeDefinition({ versions: 3 })], objects: [] }));
    expect(answer).toContain('spec.versions: Invalid value: must be a list');
  });
});
