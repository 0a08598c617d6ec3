import { request } from 'node:http';
import { residentMb } from '../measure/resident-memory.ts';

/** What a streamed body needed. */
export interface StreamedBody {
  readonly bytes: number;
  readonly seconds: number;
  /** Resident memory of the service and its children, MB: before, and the most. */
  readonly idleMb: number;
  readonly peakMb: number;
  /** The last line of the answer. */
  readonly lastLine: string;
}

/** How often memory is looked at, ms. */
const WATCH_MS = 100;
/** Of the answer only so much of its end is kept, characters. */
const KEPT = 20_000;

/** Sends an NDJSON body block by block, no faster than it is taken, while the answer streams back, and watches the memory of the service. */
export async function streamLines(url: string, blocks: Iterable<string>, processId: number): Promise<StreamedBody> {
  const idleMb = residentMb(processId);
  let peakMb = idleMb;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(processId));
  }, WATCH_MS);
  const started = performance.now();
  try {
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
    return { bytes, seconds: (performance.now() - started) / 1000, idleMb, peakMb, lastLine };
  } finally {
    clearInterval(watch);
  }
}
