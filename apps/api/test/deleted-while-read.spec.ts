import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EvaluationArchive } from '#service';
import type { Studies } from '#service';
import { shownStudies } from '../src/benchmarks/benchmarks.controller.ts';
import { shownEvaluations } from '../src/evaluations/evaluation-state.ts';
import { jobEvents } from '../src/jobs/jobs.controller.ts';
import { startApi } from './start-api.ts';
import { widget, widgets } from './widgets.ts';

/** Storage that has just deleted the evaluation or study that a request reads. */
const nothing = async (): Promise<undefined> => undefined;
const jobs = { record: nothing, progress: nothing, result: nothing, changed: nothing };
const archive = new EvaluationArchive(jobs as unknown as ConstructorParameters<typeof EvaluationArchive>[0]);
const studies = { find: nothing, changed: nothing } as unknown as Studies;
const all = (): boolean => true;
const { signal } = new AbortController();

describe('reading an evaluation that another client request deletes meanwhile gives 404:', () => {
  it.each<readonly [string, () => AsyncGenerator]>([
    ['results of an evaluation', () => archive.verdicts('an-id', 0, signal)],
    ['events of an evaluation', () => jobEvents(shownEvaluations(archive), 'an-id', all, signal)],
    ['events of a study', () => jobEvents(shownStudies(studies), 'an-id', all, signal)],
  ])('%s', async (_, read) => {
    const pieces: string[] = [];
    for await (const piece of read()) pieces.push(typeof piece === 'string' ? piece : JSON.stringify(piece));
    expect(pieces).toHaveLength(1);
    expect(pieces[0]).toMatch(/"reason":"NotFound".*"code":404/);
  });
});

describe('two DELETE requests for one evaluation', () => {
  let app: NestFastifyApplication;
  let url: string;
  beforeAll(async () => ({ app, url } = await startApi()));
  afterAll(() => app.close());

  it('that arrive during a read of results get 204 or 404, and the read gets the remaining results or 404', async () => {
    const objects = Array.from({ length: 300 }, (_, i) => widget(`w${i}`, [1]));
    const headers = { 'content-type': 'application/json' };
    for (let round = 0; round < 20; round++) {
      const body = JSON.stringify({ definitions: [widgets], objects });
      const begun = await fetch(`${url}/evaluate?wait=0`, { method: 'POST', headers, body });
      const at = `${url}${begun.headers.get('location')}`;
      const [first, second, results] = await Promise.all([
        fetch(at, { method: 'DELETE' }),
        fetch(at, { method: 'DELETE' }),
        fetch(`${at}/results`).then(async (response) => ({ status: response.status, text: await response.text() })),
      ]);
      for (const { status } of [first, second]) expect([204, 404]).toContain(status);
      expect([200, 404]).toContain(results.status);
      expect(results.text).not.toContain('send it again');
    }
  });
});
