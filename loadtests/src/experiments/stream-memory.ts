import { writeJson } from '#go';
import { bytesText, countText, megabytesText } from '#charts';
import { startService } from '../load/start-service.ts';
import type { StreamedBody } from '../load/stream-lines.ts';
import { streamObjects } from '../load/stream-objects.ts';
import { quotient } from '../measure/quotient.ts';
import { boundGate, equalGate } from '../result/gates.ts';
import { medianCell } from '../result/report-cell.ts';
import { sentence } from '../result/sentence.ts';
import { KEP_LISTS, listDefinition } from '../workloads/list-workload.ts';
import type { Experiment, Findings } from './experiment.ts';

const BYTES = { quick: 64 * 1024 ** 2, full: 1024 ** 3 } as const;
/** With pages that the service's processes share counted once. */
const LIMIT_MB = 400;
const OBJECT = `{"apiVersion":"lists.assay.example.com/v1","kind":"ListHolder","metadata":{"name":"streamed","namespace":"default"},"list":[${'"abcdefghij",'.repeat(79)}"a"]}`;

/** A stream of so many objects, and what it needed; undefined where the lab ended before. */
export interface StreamData {
  readonly sent: number;
  readonly streamed: StreamedBody | undefined;
}

/** Does a body far larger than memory should hold stream through? */
export const streamMemory: Experiment<StreamData> = {
  name: 'stream-memory',
  question: 'How much memory does a large NDJSON body need while its verdicts stream back?',
  async measure(lab) {
    const [workload] = KEP_LISTS;
    if (!workload) throw new Error('no workload');
    const sent = Math.ceil(lab.of(BYTES) / (OBJECT.length + 1));
    const envelope = `{"definitions":[${writeJson(listDefinition(workload))}]}`;
    const stream = { path: '/evaluate', envelope, objects: sent, line: () => OBJECT };
    return { sent, streamed: await streamObjects(lab, await startService(), stream) };
  },
  findings,
};

function findings({ sent, streamed }: StreamData): Findings {
  const { peakMb: residentMb, distinctPeakMb: peakMb } = streamed?.peaks[0] ?? {};
  const rate = quotient(sent, streamed?.seconds);
  return {
    finding:
      streamed === undefined
        ? sentence([])
        : `${bytesText(streamed.bytes)} of objects stream through; memory at most: ${megabytesText(peakMb)}; with shared pages counted for each process: ${megabytesText(residentMb)}; objects a second: ${countText(rate)}`,
    gates: [
      // An answer without a summary is one that judged nothing.
      equalGate(
        'objects judged',
        'verdicts',
        sent,
        streamed && (/"items":(\d+)/.exec(streamed.lastLine)?.[1] ?? 'no summary in the answer'),
      ),
      boundGate('peak memory', 'bytes', { figure: peakMb, most: LIMIT_MB, unit: 'MB' }),
    ],
    cells: [
      ...medianCell({ id: 'peak', unit: 'bytes', samples: [peakMb === undefined ? undefined : peakMb * 2 ** 20] }),
      ...medianCell({ id: 'throughput', unit: 'per second', samples: [rate], larger: true }),
    ],
    notes: [
      'Memory is resident memory as the operating system tells it every 100 ms, summed over the service process and its children; pages of files, as of the binary that both run, count once.',
    ],
  };
}
