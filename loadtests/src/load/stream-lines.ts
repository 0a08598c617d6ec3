import { request } from 'node:http';
import { peaksDuring } from '../measure/peak-memory.ts';
import type { Peak } from '../measure/peak-memory.ts';

/** The figures of a streamed body. */
export interface StreamedBody {
  readonly bytes: number;
  readonly seconds: number;
  /** Peak memory of each watched process, in the order of the processes. */
  readonly peaks: readonly Peak[];
  /** The last line of the answer. */
  readonly lastLine: string;
}

/** Number of characters kept of the end of the answer. */
const KEPT = 20_000;

/**
 * Sends an NDJSON body block by block, as fast as the service reads it, while the answer streams back. Measures the memory of processes
 * during the exchange.
 */
export async function streamLines(
  url: string,
  blocks: Iterable<string>,
  processes: readonly (readonly [name: string, processId: number])[],
): Promise<StreamedBody> {
  const { result, peaks } = await peaksDuring(processes, () => exchange(url, blocks));
  return { ...result, peaks };
}

async function exchange(url: string, blocks: Iterable<string>): Promise<Omit<StreamedBody, 'peaks'>> {
  const started = performance.now();
  const call = request(url, { method: 'POST', headers: { 'content-type': 'application/x-ndjson' } });
  const answered = new Promise<string>((resolve, reject) => {
    call.once('error', reject);
    call.once('response', (response) => {
      let tail = '';
      response.on('data', (part: Buffer) => (tail = (tail + part.toString()).slice(-KEPT)));
      response.once('end', () => resolve(tail.trim().split('\n').at(-1) ?? ''));
    });
  });
  let bytes = 0;
  for (const block of blocks) {
    bytes += Buffer.byteLength(block);
    if (!call.write(block)) await new Promise((resolve) => call.once('drain', resolve));
  }
  call.end();
  const lastLine = await answered;
  return { bytes, seconds: (performance.now() - started) / 1000, lastLine };
}
