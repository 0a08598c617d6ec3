import type { Answer, Attack, Family, Target } from '../attack.ts';
import { ask, TYPES } from '../send.ts';
import { startApp } from '../start-target.ts';
import { definitionWith } from './judged.ts';

const JOURNALED = ['embedded', 'keyed'] as const;

/** Returns a batch whose results are some thousand times as large as the batch, because defaulting adds a large value to each object. */
function amplified(objects: number, defaultBytes: number): string {
  const spec = `{"type":"object","properties":{"a":{"type":"string","default":"${'x'.repeat(defaultBytes)}"}}}`;
  const object = (i: number): string =>
    `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"o${i}","namespace":"a"},"spec":{}}`;
  return `{"definitions":[${definitionWith(spec)}],"objects":[${Array.from({ length: objects }, (_, i) => object(i)).join(',')}]}`;
}

const begin = (target: Target, body: string): Promise<Answer> =>
  ask(target, { method: 'POST', path: '/evaluate?wait=0&returnObjects=true', headers: { 'content-type': TYPES.json }, body });

/**
 * Begins evaluations one after another. Deletes each accepted evaluation twice, because the first deletion only cancels an evaluation that
 * is still running.
 */
async function fill(target: Target, count: number, body: string): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let i = 0; i < count; i++) answers.push(await begin(target, body));
  for (const { headers } of answers) {
    const path = headers['location'];
    if (path === undefined) continue;
    for (const method of ['GET', 'DELETE', 'DELETE']) answers.push(await ask(target, { method, path }));
  }
  return answers;
}

const CODES = [200, 202, 204, 404, 429];

const RESULTS: readonly Attack[] = [
  { name: 'results of 40 MB that nobody fetches', codes: CODES, send: (target) => fill(target, 4, amplified(40, 250_000)) },
  {
    name: 'results of 150 MB that nobody fetches',
    codes: CODES,
    isLong: true,
    send: (target) => fill(target, 8, amplified(60, 2_500_000)),
  },
  { name: '300 small evaluations in the background', codes: CODES, send: (target) => fill(target, 300, '{"objects":[{}]}') },
  { name: 'results that grow beyond the share', codes: [200, 202, 204], send: (target) => fill(target, 1, amplified(80, 500_000)) },
  {
    name: 'a DELETE takes the results away',
    codes: [404],
    send: async (target) => {
      const path = (await begin(target, '{"objects":[{}]}')).headers['location'] ?? '/not-begun';
      await ask(target, { path: `${path}/results` });
      await ask(target, { method: 'DELETE', path });
      await ask(target, { method: 'DELETE', path });
      return [await ask(target, { path }), await ask(target, { path: `${path}/results` })];
    },
  },
];

/** Returns an attack that starts the service with invalid settings. The service must not start, and its output must match `says`. */
const notStarted = (
  name: string,
  variables: (target: Target) => Readonly<Record<string, string>>,
  says: RegExp,
  shapes?: Attack['shapes'],
): Attack => ({
  name,
  codes: [0],
  ...(shapes && { shapes }),
  send: async (target) => {
    const nothing = { code: 0, headers: {}, body: '', isCut: false };
    try {
      const program = await startApp('node', { HOST: '127.0.0.1', PORT: '0', ASSAY_THREADS: '1', ...variables(target) }, /listens on/);
      await program.stop();
      return { ...nothing, code: 200, body: 'it did start' };
    } catch (error) {
      return says.test(String(error)) ? nothing : { ...nothing, code: 200, body: String(error) };
    }
  },
});

const STARTS: readonly Attack[] = [
  notStarted('two processes on one journal', ({ journal = '' }) => ({ ASSAY_JOURNAL: journal }), /in use by another process/, JOURNALED),
  ...['not-a-url', 'http://localhost:1', 'redis+sentinel://localhost'].map((url) =>
    notStarted(`Redis at ${url}`, () => ({ ASSAY_REDIS_URL: url }), /ASSAY_REDIS_URL/),
  ),
  notStarted('no keys file', () => ({ ASSAY_KEYS_FILE: '/nowhere/keys.yaml' }), /ASSAY_KEYS_FILE/),
  notStarted('threads without number', () => ({ ASSAY_THREADS: 'many' }), /ASSAY_THREADS/),
  notStarted('an audit log nowhere', () => ({ ASSAY_AUDIT_LEVEL: 'metadata', ASSAY_AUDIT_FILE: '/nowhere/audit.log' }), /ASSAY_AUDIT_FILE/),
  notStarted('no certificate', () => ({ ASSAY_TLS_CERT_FILE: '/nowhere/tls.crt', ASSAY_TLS_KEY_FILE: '/nowhere/tls.key' }), /ASSAY_TLS/),
];

/** Attacks on storage: results that are never fetched, endless evaluations, and storages that must not be used. */
export const stores: Family = {
  name: 'stores',
  shapes: ['fleet', 'embedded', 'keyed'],
  attacks: () => [...RESULTS, ...STARTS],
};
