import { request } from 'node:http';
import type { Impact } from '#evaluation';
import { startService } from '../load/start-service.ts';
import { residentMb } from '../measure/resident-memory.ts';
import type { Experiment } from './experiment.ts';

const OBJECTS = { quick: 100_000, full: 1_000_000 } as const;
const LIMIT_MB = 600;
const GROUP = 'whatif.assay.example.com';
/** Of ten objects: one is stuck (its size may not stay), two are too small, one lacks what is defaulted now, six do not care. */
const WANTED = { brokenOnUpdate: 0.1, savedByRatcheting: 0.2, storedDifferently: 0.1, unaffected: 0.6, invalidBefore: 0, notJudged: 0 };

/** Does a change of a definition over many stored objects need bounded memory, and does it tell who is hurt by what? */
export const whatIfMemory: Experiment = {
  name: 'what-if-memory',
  question: 'How much memory does a changed definition over very many stored objects need, and what does it break?',
  async run(thoroughness, say) {
    const service = await startService();
    try {
      const count = OBJECTS[thoroughness];
      const started = performance.now();
      const { peakMb, idleMb, answer } = await send(service.url, service.processId, count, say);
      const seconds = (performance.now() - started) / 1000;
      const { impact, complete } = JSON.parse(answer) as { complete: boolean; impact: Answered };
      const causes = impact.causes.map(({ cause, objects, brokenOnUpdate }) => `${cause.field} (${objects}, ${brokenOnUpdate} broken)`);
      const failedGates = [
        ...(complete ? [] : ['the answer is not complete']),
        ...Object.entries(WANTED).flatMap(([effect, share]) => {
          const found = impact.effects[effect as keyof typeof WANTED];
          return found === Math.round(share * count) ? [] : [`${effect}: ${found}, wanted ${Math.round(share * count)}`];
        }),
        ...(impact.causes[0]?.brokenOnUpdate === count / 10 ? [] : ['the most damaging cause does not come first']),
        ...(peakMb < LIMIT_MB ? [] : [`service and engine host used ${peakMb} MB together, the limit is ${LIMIT_MB}`]),
      ];
      return {
        columns: ['objects', 'seconds', 'objects/s', 'RSS before', 'peak RSS, API + engine host', 'causes, most damaging first'],
        rows: [[String(count), seconds.toFixed(1), (count / seconds).toFixed(0), `${idleMb} MB`, `${peakMb} MB`, causes.join('; ')]],
        failedGates,
        notes: ['RSS is read from the operating system every 100 ms, summed over the service process and its children.'],
      };
    } finally {
      await service.stop();
    }
  },
};

/** The impact as it is answered. */
type Answered = Omit<Impact, 'causes'> & {
  readonly causes: readonly { readonly cause: { readonly field: string }; readonly objects: number; readonly brokenOnUpdate: number }[];
};

function definition(size: unknown, mode: unknown): unknown {
  const spec = { type: 'object', properties: { size, mode, note: { type: 'string' } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `subjects.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'subjects', kind: 'Subject' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }],
    },
  };
}

const FROM = definition({ type: 'integer' }, { type: 'string' });
const TO = definition(
  {
    type: 'integer',
    minimum: 10,
    'x-kubernetes-validations': [{ rule: 'self != oldSelf || self < 90', message: 'a large size may not stay' }],
  },
  { type: 'string', default: 'plain' },
);

function objectLine(index: number): string {
  const size = [95, 5, 5][index % 10] ?? 50;
  const spec = { size, ...(index % 10 === 3 ? {} : { mode: 'set' }), note: 'n'.repeat(600) };
  return `${JSON.stringify({ apiVersion: `${GROUP}/v1`, kind: 'Subject', metadata: { name: `subject-${index}`, namespace: 'default' }, spec })}\n`;
}

async function send(
  url: string,
  processId: number,
  count: number,
  say: (text: string) => void,
): Promise<{ readonly peakMb: number; readonly idleMb: number; readonly answer: string }> {
  const idleMb = residentMb(processId);
  let peakMb = idleMb;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(processId));
  }, 100);
  const call = request(`${url}/what-if?deadline=1h`, { method: 'POST', headers: { 'content-type': 'application/x-ndjson' } });
  const answered = new Promise<string>((resolve, reject) => {
    call.once('error', reject);
    call.once('response', (response) => {
      let tail = '';
      response.on('data', (part: Buffer) => (tail = (tail + part.toString()).slice(-20_000)));
      response.once('end', () => resolve(tail.trim().split('\n').at(-1) ?? ''));
    });
  });
  call.write(`${JSON.stringify({ definitions: [FROM, TO] })}\n`);
  for (let sent = 0; sent < count;) {
    let block = '';
    for (const until = Math.min(count, sent + 200); sent < until; sent++) block += objectLine(sent);
    if (!call.write(block)) await new Promise((resolve) => call.once('drain', resolve));
    if (sent % (count / 10) === 0) say(`${sent} sent, ${peakMb} MB`);
  }
  call.end();
  const answer = await answered;
  clearInterval(watch);
  return { peakMb, idleMb, answer };
}
