import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sentDigest } from '#documents';
import { answerKey } from '../src/description/answer-examples.ts';
import type { RecordedAnswer } from '../src/description/answer-examples.ts';
import recorded from '../src/description/generated/recorded-answers.json' with { type: 'json' };
import { EXAMPLE_DEFINITION } from '../src/description/operations.ts';
import { fileOf, keysFile, sha256 } from './keys-file.ts';
import { slow, slowObject } from './slow.ts';
import { startApi } from './start-api.ts';
import { widget, widgets } from './widgets.ts';

/** True if the tests rewrite the recorded answers: `ASSAY_RECORD_ANSWERS=1 npx vitest run apps/api/test/recorded-answers.spec.ts`. */
const RECORDS = process.env['ASSAY_RECORD_ANSWERS'] !== undefined;
const FILE = join(import.meta.dirname, '../src/description/generated/recorded-answers.json');

let app: NestFastifyApplication;
let url: string;
beforeAll(async () => {
  ({ app, url } = await startApi({ ASSAY_ADMISSION_FILE: fileOf(EXAMPLE_DEFINITION) }));
});
afterAll(() => app.close());

/** Replaces the parts of an answer that differ in each run, such as durations and ids, by constants. */
function steady(text: string): string {
  return text
    .replaceAll(/"(\w*(?:Ms|ms|At|duration))":\d+(?:\.\d+)?/g, '"$1":1')
    .replaceAll(/:\d+\.\d{5,}/g, ':1')
    .replaceAll(/"createdAt":"[^"]+"/g, '"createdAt":"2026-11-02T08:00:00.000Z"')
    .replaceAll(/"id":"[^"]+"/g, '"id":"0b5e2a4e-6f3c-4d0a-9a59-1b6f1f7d2c11"');
}

async function recordedAnswer(response: Response): Promise<RecordedAnswer> {
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  const text = steady(await response.text());
  return { type, body: type === 'application/json' ? JSON.parse(text) : text };
}

interface Operation {
  readonly requestBody: { readonly content: Record<string, { readonly examples: Record<string, { readonly value: unknown }> }> };
}

async function answersOfExamples(): Promise<Record<string, RecordedAnswer>> {
  const { paths } = (await (await fetch(`${url}/docs-json`)).json()) as {
    paths: Record<string, Partial<Record<'post' | 'put', Operation>>>;
  };
  const answers: Record<string, RecordedAnswer> = {};
  // Sends PUT requests first, because the POST requests name the definitions that they store.
  for (const method of ['put', 'post'] as const)
    for (const [path, { [method]: operation }] of Object.entries(paths))
      for (const [type, { examples }] of Object.entries(operation?.requestBody.content ?? {}))
        for (const [name, { value }] of Object.entries(examples)) {
          const body = typeof value === 'string' ? value : JSON.stringify(value);
          const requested = `${url}${path.replace('{digest}', sentDigest(Buffer.from(body)))}`;
          const response = await fetch(requested, { method: method.toUpperCase(), headers: { 'content-type': type }, body });
          expect([path, type, name, response.status]).toEqual([
            path,
            type,
            name,
            method === 'put' ? 201 : path === '/benchmarks' ? 202 : 200,
          ]);
          answers[answerKey(path, type, name, method)] = await recordedAnswer(response);
        }
  return answers;
}

/** Starts a service with the given environment variables, sends it one request, and returns the answer. */
async function askOf(variables: NodeJS.ProcessEnv, ask: (url: string) => Promise<Response>): Promise<RecordedAnswer> {
  const own = await startApi(variables);
  try {
    return await recordedAnswer(await ask(own.url));
  } finally {
    await own.app.close();
  }
}

const batch = (body: object, type = 'application/json'): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': type },
  body: JSON.stringify(body),
});
const WIDGETS = { definitions: [widgets], objects: [widget('one', [1])] };

/** Functions that cause a failure answer, by the status code of the failure. */
const FAILURES: Readonly<Record<string, () => Promise<RecordedAnswer>>> = {
  400: async () => recordedAnswer(await fetch(`${url}/evaluate`, batch({ ...WIDGETS, options: { kubernetesVersion: '1.2' } }))),
  401: () =>
    askOf({ ASSAY_KEYS_FILE: keysFile([{ name: 'one', sha256: sha256('token-one') }]) }, (own) => fetch(`${own}/evaluate`, batch(WIDGETS))),
  404: async () => recordedAnswer(await fetch(`${url}/evaluations/0b5e2a4e-6f3c-4d0a-9a59-1b6f1f7d2c11`)),
  408: async () =>
    recordedAnswer(
      await fetch(`${url}/evaluate`, batch({ definitions: [slow], objects: [slowObject('a', 900)], options: { deadline: '600ms' } })),
    ),
  413: () =>
    askOf({ ASSAY_MAX_BODY_BYTES: '1024' }, (own) =>
      fetch(`${own}/evaluate`, batch({ ...WIDGETS, objects: Array.from({ length: 999 }, () => ({})) })),
    ),
  415: async () => recordedAnswer(await fetch(`${url}/evaluate`, batch(WIDGETS, 'text/plain'))),
  429: () =>
    askOf({ ASSAY_MAX_OPEN_REQUESTS: '2' }, async (own) => {
      const open = [0, 1].map(() => connect(Number(new URL(own).port), '127.0.0.1'));
      const head =
        'POST /evaluate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\nExpect: 100-continue\r\n\r\n';
      await Promise.all(open.map((socket) => new Promise((goesOn) => socket.once('data', goesOn).write(head))));
      const refused = await fetch(`${own}/evaluate`, batch(WIDGETS));
      for (const socket of open) socket.destroy();
      return refused;
    }),
  503: () =>
    askOf({ ASSAY_MAX_LOOP_DELAY_MS: '1' }, async (own) => {
      const busy = setInterval(() => {
        const until = performance.now() + 40;
        while (performance.now() < until);
      }, 1);
      try {
        for (;;) {
          const response = await fetch(`${own}/evaluations/none`);
          if (response.status !== 404) return response;
        }
      } finally {
        clearInterval(busy);
      }
    }),
};

describe('the recorded responses in the API description', () => {
  it('are the responses that the service gives to the examples, and to each failure', async () => {
    const answers = await answersOfExamples();
    const failures: Record<string, RecordedAnswer> = {};
    for (const [status, ask] of Object.entries(FAILURES)) failures[status] = await ask();
    if (RECORDS) writeFileSync(FILE, `${JSON.stringify({ answers, failures }, undefined, 2)}\n`);
    else expect({ answers, failures }).toEqual(recorded);
    for (const [status, { body }] of Object.entries(failures)) expect(body).toMatchObject({ kind: 'Status', code: Number(status) });
  });

  // The description of the API contains the recorded answers. A run that records has loaded the description before, so only the next run
  // can compare them.
  it.skipIf(RECORDS)('exist for every response of the description', async () => {
    const { paths } = (await (await fetch(`${url}/docs-json`)).json()) as {
      paths: Record<
        string,
        Record<string, { responses: Record<string, { content?: Record<string, { example?: unknown; examples?: object }> }> }>
      >;
    };
    for (const [path, { post, put }] of Object.entries(paths)) {
      const responses = Object.entries({ ...post?.responses, ...put?.responses });
      const bare = responses.flatMap(([status, { content = {} }]) =>
        status === '202' ||
        Object.values(content).some(({ example, examples }) => example !== undefined || Object.keys(examples ?? {}).length > 0)
          ? []
          : [`${path} ${status}`],
      );
      expect(bare).toEqual([]);
    }
  });
});
