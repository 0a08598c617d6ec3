import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluationAnswer } from '#documents';
import { sampled } from '../../../testing/thorough.ts';
import { STREAMED_DEFINITION, wrongVerdicts, YAML_STREAMS } from '../../../testing/yaml-streams.ts';
import { startApi } from './start-api.ts';

let app: NestFastifyApplication;
let url: string;
beforeAll(async () => {
  ({ app, url } = await startApi());
});
afterAll(() => app.close());

const DEFINITION = Buffer.from(`${JSON.stringify(STREAMED_DEFINITION)}\n---\n`);
/**
 * Streams whose meaning does not change if a definition precedes them. The short form takes every eleventh stream. The specs of the command
 * line and of the engine's threads read all streams in every test run.
 */
const SENT = sampled(
  YAML_STREAMS.filter(({ name }) => name.startsWith('utf-')),
  11,
);

describe('a body in YAML', () => {
  it('gives all its documents, in any encoding and with any line end and separator', async () => {
    const wrong: (string | undefined)[] = [];
    for (const stream of SENT) {
      const body = Buffer.concat([DEFINITION, stream.bytes]);
      const response = await fetch(`${url}/evaluate`, { method: 'POST', headers: { 'content-type': 'application/yaml' }, body });
      const { items } = evaluationAnswer.parse(await response.json());
      const why = wrongVerdicts(stream, items);
      if (why !== undefined) wrong.push(`${stream.name}: ${why}`);
    }
    expect(wrong).toEqual([]);
  });

  it('must contain no other document if the request takes one definition', async () => {
    const body = Buffer.concat([DEFINITION, DEFINITION]);
    const response = await fetch(`${url}/definitions`, { method: 'POST', headers: { 'content-type': 'application/yaml' }, body });
    expect(await response.text()).toContain('yaml: line 2: a second document begins here');
  });
});
