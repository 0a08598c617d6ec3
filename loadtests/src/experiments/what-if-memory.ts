import type { Impact } from '#evaluation';
import { countText, megabytesText } from '#charts';
import { startService } from '../load/start-service.ts';
import type { StreamedBody } from '../load/stream-lines.ts';
import { streamObjects } from '../load/stream-objects.ts';
import { quotient } from '../measure/quotient.ts';
import { boundGate, equalGate } from '../result/gates.ts';
import { medianCell } from '../result/report-cell.ts';
import { sentence } from '../result/sentence.ts';
import { customDefinition } from '../../../testing/custom-definition.ts';
import type { Experiment, Findings } from './experiment.ts';

const OBJECTS = { quick: 20_000, full: 1_000_000 } as const;
const LIMIT_MB = 600;
const GROUP = 'whatif.assay.example.com';
/** Of ten objects: one is stuck (its size may not stay), two are too small, one lacks what is defaulted now, six do not care. */
const WANTED = {
  brokenOnUpdate: 0.1,
  breaksOnNextChange: 0,
  savedByRatcheting: 0.2,
  storedDifferently: 0.1,
  unaffected: 0.6,
  mended: 0,
  invalidBefore: 0,
  notJudged: 0,
};

/** The answer's last line. */
interface Answer {
  readonly complete: boolean;
  readonly impact: Omit<Impact, 'causes'> & {
    readonly causes: readonly { readonly cause: { readonly field: string }; readonly objects: number; readonly brokenOnUpdate: number }[];
  };
}

/** A change over so many stored objects, and what judging it needed; undefined where the lab ended before. */
export interface WhatIfData {
  readonly objects: number;
  readonly streamed: (Pick<StreamedBody, 'seconds' | 'peaks'> & { readonly answer: Answer }) | undefined;
}

/** Does a change of a definition over many stored objects need bounded memory, and does the answer name who is affected, and why? */
export const whatIfMemory: Experiment<WhatIfData> = {
  name: 'what-if-memory',
  question: 'How much memory does a changed definition over very many stored objects need, and what does it break?',
  async measure(lab) {
    const objects = lab.of(OBJECTS);
    const stream = { path: '/what-if', envelope: JSON.stringify({ definitions: [FROM, TO] }), objects, line: objectLine };
    const streamed = await streamObjects(lab, await startService(), stream);
    return { objects, streamed: streamed && { ...streamed, answer: JSON.parse(streamed.lastLine) as Answer } };
  },
  findings,
};

function findings({ objects, streamed }: WhatIfData): Findings {
  const impact = streamed?.answer.impact;
  const { idleMb, peakMb } = streamed?.peaks[0] ?? {};
  const worst = impact?.causes[0];
  const rate = quotient(objects, streamed?.seconds);
  const cause =
    worst === undefined
      ? 'no cause was named'
      : `the worst cause, \`${worst.cause.field}\`, breaks ${countText(worst.brokenOnUpdate)} of them`;
  return {
    finding:
      streamed === undefined
        ? sentence([])
        : `A change over ${countText(objects)} stored objects is judged; memory at most: ${megabytesText(peakMb)}; ${cause}`,
    gates: [
      equalGate('the answer is complete', 'verdicts', 'true', streamed && String(streamed.answer.complete)),
      ...(Object.keys(WANTED) as (keyof typeof WANTED)[]).map((effect) =>
        equalGate(effect, 'verdicts', Math.round(WANTED[effect] * objects), impact?.effects[effect]),
      ),
      equalGate('the most damaging cause comes first', 'verdicts', objects / 10, impact && (worst?.brokenOnUpdate ?? 'no cause')),
      boundGate('peak memory', 'bytes', { figure: peakMb, most: LIMIT_MB, unit: 'MB' }),
    ],
    cells: [
      ...medianCell({ id: 'peak', unit: 'bytes', samples: [peakMb === undefined ? undefined : peakMb * 2 ** 20] }),
      ...medianCell({ id: 'throughput', unit: 'per second', samples: [rate], larger: true }),
    ],
    notes: [
      `Memory of the service before the change: ${megabytesText(idleMb)}. Memory is resident memory as the operating system tells it every 100 ms, summed over the service process and its children.`,
    ],
  };
}

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
  return JSON.stringify({ apiVersion: `${GROUP}/v1`, kind: 'Subject', metadata: { name: `subject-${index}`, namespace: 'default' }, spec });
}
