import type { Impact } from '#evaluation';
import { startService } from '../load/start-service.ts';
import { streamLines } from '../load/stream-lines.ts';
import { countText } from '../measure/figures.ts';
import { equalGate } from '../result/equal-gate.ts';
import { customDefinition } from '../../../testing/custom-definition.ts';
import type { Experiment } from './experiment.ts';

const OBJECTS = { quick: 20_000, full: 1_000_000 } as const;
const LIMIT_MB = 600;
const GROUP = 'whatif.assay.example.com';
/** Of ten objects: one is stuck (its size may not stay), two are too small, one lacks what is defaulted now, six do not care. */
const WANTED = { brokenOnUpdate: 0.1, savedByRatcheting: 0.2, storedDifferently: 0.1, unaffected: 0.6, invalidBefore: 0, notJudged: 0 };

/** Does a change of a definition over many stored objects need bounded memory, and does it tell who is hurt by what? */
export const whatIfMemory: Experiment = {
  name: 'what-if-memory',
  question: 'How much memory does a changed definition over very many stored objects need, and what does it break?',
  async run(lab) {
    const service = await startService();
    try {
      const count = lab.of(OBJECTS);
      const { seconds, peaks, lastLine } = await streamLines(`${service.url}/what-if?deadline=1h`, body(count, lab.say), [
        ['API and engine host', service.processId],
      ]);
      const { idleMb, peakMb } = peaks[0] ?? { idleMb: 0, peakMb: 0 };
      const { impact, complete } = JSON.parse(lastLine) as { complete: boolean; impact: Answered };
      const worst = impact.causes[0];
      return {
        finding: `A change over ${countText(count)} stored objects is judged in ${peakMb} MB; the worst cause, \`${worst?.cause.field ?? '–'}\`, breaks ${countText(worst?.brokenOnUpdate ?? 0)} of them`,
        gates: [
          equalGate('the answer is complete', 'verdicts', 'true', String(complete)),
          ...Object.entries(WANTED).map(([effect, share]) =>
            equalGate(effect, 'verdicts', String(Math.round(share * count)), String(impact.effects[effect as keyof typeof WANTED])),
          ),
          equalGate('the most damaging cause comes first', 'verdicts', String(count / 10), String(worst?.brokenOnUpdate)),
          { name: 'peak memory', measure: 'bytes', expected: `below ${LIMIT_MB} MB`, actual: `${peakMb} MB`, holds: peakMb < LIMIT_MB },
        ],
        cells: [
          { id: 'peak', unit: 'bytes', samples: [peakMb * 2 ** 20], statistic: 'median', value: peakMb * 2 ** 20 },
          { id: 'throughput', unit: 'per second', samples: [count / seconds], statistic: 'median', value: count / seconds, larger: true },
        ],
        notes: [
          `Before, the service had ${idleMb} MB. Memory is resident memory as the operating system tells it every 100 ms, summed over the service process and its children.`,
        ],
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
  return customDefinition({ group: GROUP, kind: 'Subject', schema: { type: 'object', properties: { spec } } });
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

function* body(count: number, say: (text: string) => void): Generator<string> {
  yield `${JSON.stringify({ definitions: [FROM, TO] })}\n`;
  for (let sent = 0; sent < count;) {
    let block = '';
    for (const until = Math.min(count, sent + 200); sent < until; sent++) block += objectLine(sent);
    if (sent % (count / 4) === 0) say(`${sent} sent`);
    yield block;
  }
}
