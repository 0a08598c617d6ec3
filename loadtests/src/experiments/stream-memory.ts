import { request } from 'node:http';
import { writeJson } from '#kube';
import { startService } from '../load/start-service.ts';
import { residentMb } from '../measure/resident-memory.ts';
import { KEP_LISTS, listDefinition } from '../workloads/list-workload.ts';
import type { Experiment } from './experiment.ts';

const BYTES = { quick: 128 * 1024 ** 2, full: 1024 ** 3 } as const;
const LIMIT_MB = 600;

/** Does a body far larger than memory should hold stream through? */
export const streamMemory: Experiment = {
  name: 'stream-memory',
  question: 'How much memory does a large NDJSON body need while its verdicts stream back?',
  async run(thoroughness, say) {
    const service = await startService();
    try {
      const started = performance.now();
      const { lines, bytes, peakMb, answer } = await stream(service.url, service.processId, BYTES[thoroughness], say);
      const seconds = (performance.now() - started) / 1000;
      const judged = Number(/"items":(\d+)/.exec(answer)?.[1] ?? 0);
      const failedGates = [
        ...(judged === lines ? [] : [`${lines} objects sent, ${judged} judged`]),
        ...(peakMb < LIMIT_MB ? [] : [`service and engine host used ${peakMb} MB together, the limit is ${LIMIT_MB}`]),
      ];
      return {
        columns: ['body', 'objects', 'seconds', 'objects/s', 'peak RSS, API + engine host'],
        rows: [[`${(bytes / 2 ** 20).toFixed(0)} MiB`, String(lines), seconds.toFixed(1), (lines / seconds).toFixed(0), `${peakMb} MB`]],
        failedGates,
        notes: ['RSS is read from the operating system every 100 ms, summed over the service process and its children.'],
      };
    } finally {
      await service.stop();
    }
  },
};

interface Streamed {
  readonly lines: number;
  readonly bytes: number;
  readonly peakMb: number;
  /** The last line of the answer. */
  readonly answer: string;
}

async function stream(url: string, processId: number, wanted: number, say: (text: string) => void): Promise<Streamed> {
  const object = `{"apiVersion":"lists.assay.example.com/v1","kind":"ListHolder","metadata":{"name":"streamed","namespace":"default"},"list":[${'"abcdefghij",'.repeat(79)}"a"]}\n`;
  const block = object.repeat(64);
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(processId));
  }, 100);
  const call = request(`${url}/evaluate?deadline=1h`, { method: 'POST', headers: { 'content-type': 'application/x-ndjson' } });
  const answered = new Promise<string>((resolve, reject) => {
    call.once('error', reject);
    call.once('response', (response) => {
      let tail = '';
      response.on('data', (part: Buffer) => (tail = (tail + part.toString()).slice(-2000)));
      response.once('end', () => resolve(tail.trim().split('\n').at(-1) ?? ''));
    });
  });
  const [workload] = KEP_LISTS;
  if (!workload) throw new Error('no workload');
  call.write(`{"definitions":[${writeJson(listDefinition(workload))}]}\n`);
  let [lines, bytes] = [0, 0];
  for (let next = 0.1; bytes < wanted; lines += 64, bytes += block.length) {
    if (!call.write(block)) await new Promise((resolve) => call.once('drain', resolve));
    if (bytes / wanted < next) continue;
    say(`${Math.round(next * 100)} % sent, ${peakMb} MB`);
    next += 0.1;
  }
  call.end();
  const answer = await answered;
  clearInterval(watch);
  return { lines, bytes, peakMb, answer };
}
