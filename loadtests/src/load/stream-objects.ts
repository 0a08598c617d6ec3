import type { Lab } from '../lab.ts';
import type { Service } from './start-service.ts';
import { streamLines } from './stream-lines.ts';
import type { StreamedBody } from './stream-lines.ts';

/** A body of NDJSON: an envelope, then an object a line. */
export interface ObjectStream {
  /** Where it is sent, such as `/evaluate`. */
  readonly path: string;
  readonly envelope: string;
  readonly objects: number;
  readonly line: (index: number) => string;
}

/** Lines that are sent at a time. */
const LINES_PER_BLOCK = 200;

type Processes = readonly (readonly [name: string, processId: number])[];

/** Streams objects through a system, watches the memory of its processes, and stops it; undefined if the lab ended before. */
export async function streamObjects(
  lab: Lab,
  system: Service,
  stream: ObjectStream,
  processes: Processes = [['API and engine host', system.processId]],
): Promise<StreamedBody | undefined> {
  try {
    let streamed: StreamedBody | undefined;
    for await (const one of lab.each([stream]))
      streamed = await streamLines(`${system.url}${one.path}?deadline=1h`, blocksOf(one, lab.say), processes);
    return streamed;
  } finally {
    await system.stop();
  }
}

function* blocksOf({ envelope, objects, line }: ObjectStream, say: (progress: string) => void): Generator<string> {
  yield `${envelope}\n`;
  const told = LINES_PER_BLOCK * Math.ceil(objects / LINES_PER_BLOCK / 4);
  for (let sent = 0; sent < objects; sent += LINES_PER_BLOCK) {
    if (sent > 0 && sent % told === 0) say(`${Math.round((100 * sent) / objects)} % sent`);
    yield Array.from({ length: Math.min(LINES_PER_BLOCK, objects - sent) }, (_, i) => `${line(sent + i)}\n`).join('');
  }
}
