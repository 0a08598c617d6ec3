import { writeJson } from '#go';
import { startService } from '../load/start-service.ts';
import { streamLines } from '../load/stream-lines.ts';
import { bytesText, countText } from '../measure/figures.ts';
import { equalGate } from '../result/equal-gate.ts';
import { KEP_LISTS, listDefinition } from '../workloads/list-workload.ts';
import type { Experiment } from './experiment.ts';

const BYTES = { quick: 64 * 1024 ** 2, full: 1024 ** 3 } as const;
const LIMIT_MB = 600;
const OBJECT = `{"apiVersion":"lists.assay.example.com/v1","kind":"ListHolder","metadata":{"name":"streamed","namespace":"default"},"list":[${'"abcdefghij",'.repeat(79)}"a"]}\n`;
const LINES_PER_BLOCK = 64;

/** Does a body far larger than memory should hold stream through? */
export const streamMemory: Experiment = {
  name: 'stream-memory',
  question: 'How much memory does a large NDJSON body need while its verdicts stream back?',
  async run(lab) {
    const service = await startService();
    try {
      const blocks = Math.ceil(lab.of(BYTES) / (OBJECT.length * LINES_PER_BLOCK));
      const { bytes, seconds, peaks, lastLine } = await streamLines(`${service.url}/evaluate?deadline=1h`, body(blocks, lab.say), [
        ['API and engine host', service.processId],
      ]);
      const peakMb = peaks[0]?.peakMb ?? 0;
      const sent = blocks * LINES_PER_BLOCK;
      const judged = Number(/"items":(\d+)/.exec(lastLine)?.[1] ?? 0);
      return {
        finding: `${bytesText(bytes)} of objects stream through ${peakMb} MB of memory, ${countText(sent / seconds)} objects a second`,
        gates: [
          equalGate('objects judged', 'verdicts', sent, judged),
          { name: 'peak memory', measure: 'bytes', expected: `below ${LIMIT_MB} MB`, actual: `${peakMb} MB`, holds: peakMb < LIMIT_MB },
        ],
        cells: [
          { id: 'peak', unit: 'bytes', samples: [peakMb * 2 ** 20], statistic: 'median', value: peakMb * 2 ** 20 },
          { id: 'throughput', unit: 'per second', samples: [sent / seconds], statistic: 'median', value: sent / seconds, larger: true },
        ],
        notes: [
          'Memory is resident memory as the operating system tells it every 100 ms, summed over the service process and its children.',
        ],
      };
    } finally {
      await service.stop();
    }
  },
};

function* body(blocks: number, say: (text: string) => void): Generator<string> {
  const [workload] = KEP_LISTS;
  if (!workload) throw new Error('no workload');
  yield `{"definitions":[${writeJson(listDefinition(workload))}]}\n`;
  const block = OBJECT.repeat(LINES_PER_BLOCK);
  for (let sent = 0; sent < blocks; sent++) {
    if (sent > 0 && sent % Math.ceil(blocks / 4) === 0) say(`${Math.round((100 * sent) / blocks)} % sent`);
    yield block;
  }
}
