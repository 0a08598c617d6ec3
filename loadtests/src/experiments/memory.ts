import { bytesText, countText, timesText, timeText } from '#numbers';
import type { Lab } from '../lab.ts';
import { streamLines } from '../load/stream-lines.ts';
import type { Peak } from '../measure/peak-memory.ts';
import { extent, measured, quotient } from '../measure/quotient.ts';
import { boundGate } from '../result/gates.ts';
import { medianCell } from '../result/report-cell.ts';
import { missing } from '../result/sentence.ts';
import { casesOf, growthChart, numberOf, studyOf, timeCells, timeOf } from '../study/study-report.ts';
import type { Conclusions } from '../study/study-report.ts';
import type { CaseFigures, Line, MeasuredFigures } from '../study/study.ts';
import { STREAMS } from './memory/streams.ts';
import type { ObjectStream } from './memory/streams.ts';

const OBJECTS: Line['sizes'] = { smallest: [500, 5000], quick: [5000, 50_000], full: [10_000, 100_000, 1_000_000] };
/** Number of lines that are sent at a time. */
const LINES_PER_BLOCK = 100;
const ROLES = ['assay', 'experiment', 'shipped'] as const;

/** Experiment that answers whether memory stays bounded for any number of objects. It has a line for each stream. */
export const memory = studyOf({
  name: 'memory',
  question:
    'How much memory does Assay need for very many objects in a stream, in a batch over Redis, and in a what-if of a changed definition?',
  lines: STREAMS.map((stream) => ({
    name: stream.name,
    sizes: OBJECTS,
    work: (objects, lab) => ({ after: () => streamed(stream, objects, lab) }),
    expected: (objects) => ({ answer: stream.wanted(objects) }),
  })),
  conclude,
});

/**
 * Starts a system, streams objects through it, and measures the memory of its processes. `idle` and `peak` are the bytes of the process
 * that uses most, including its engine host.
 */
async function streamed(stream: ObjectStream, objects: number, { say }: Lab): Promise<MeasuredFigures> {
  const system = await stream.start();
  if (system === undefined) return { facts: { why: 'there is no redis-server on the path' } };
  try {
    const ids = 'nodes' in system ? (system.nodes as readonly number[]) : [system.processId];
    const url = `${system.url}${stream.path}?deadline=1h`;
    const watched = ids.map((id) => [String(id), id] as const);
    const { bytes, seconds, peaks, lastLine } = await streamLines(url, blocksOf(stream, objects, say), watched);
    const maxBytes = (mb: (one: Peak) => number | undefined): number | undefined => bytesOf(extent(peaks.map(mb))?.most);
    const [idle, peak] = [maxBytes(({ idleMb }) => idleMb), maxBytes(({ peakMb }) => peakMb)];
    return { times: { whole: [1000 * seconds] }, facts: { bytes, idle, peak, answer: stream.answer(lastLine) } };
  } finally {
    await system.stop();
  }
}

function* blocksOf({ definitions, object }: ObjectStream, objects: number, say: Lab['say']): Generator<string> {
  yield `{"definitions":[${definitions.join(',')}]}\n`;
  const reportEvery = LINES_PER_BLOCK * Math.ceil(objects / LINES_PER_BLOCK / 4);
  for (let sent = 0; sent < objects; sent += LINES_PER_BLOCK) {
    if (sent > 0 && sent % reportEvery === 0) say(`${Math.round((100 * sent) / objects)} % sent`);
    yield Array.from({ length: Math.min(LINES_PER_BLOCK, objects - sent) }, (_, i) => `${object(sent + i)}\n`).join('');
  }
}

const bytesOf = (mb: number | undefined): number | undefined => mb && mb * 2 ** 20;
const perSecond = (one: CaseFigures): number | undefined => quotient(1000 * one.size, timeOf(one, 'whole'));

function conclude(cases: readonly CaseFigures[]): Conclusions {
  const lines = STREAMS.map((stream) => ({ ...stream, cases: casesOf(cases, stream.name) }));
  const growths = lines.flatMap(({ name, cases: own }) => growthText(name, own) ?? []);
  const unmeasured = lines.filter(({ cases: own }) => measured(own, (one) => numberOf(one, 'peak')).length === 0);
  return {
    finding: [...growths, missing(unmeasured.map(({ name }) => name))],
    charts: [
      growthChart({
        id: 'memory',
        title: 'Highest memory of a process, by number of objects',
        subtitle:
          'Highest resident memory of the largest process together with its engine host (the process with the engine threads), while they judge the objects. The service was started again for each number of objects.',
        x: { label: 'objects', unit: 'count' },
        y: { label: 'the most memory', unit: 'bytes' },
        lines: lines.map(({ name, cases: own }, i) => ({ name, role: ROLES[i] ?? 'peer', cases: own, what: 'peak' })),
        reading:
          'The service works on a limited number of chunks (groups of objects) at a time, and reads more objects only after it has sent results. So the memory hardly depends on the number of objects. If a line still rises, the reason is that V8 lets the heap grow before it collects garbage.',
        notShown: 'Redis itself, which stores the chunks that are in work, in compressed form.',
      }),
    ],
    tables: [
      {
        title: 'Memory and time that many objects need',
        columns: [
          'how the objects are sent',
          'number of objects',
          'size of the body',
          'memory of the process before',
          'highest memory of the process',
          'time of the whole request',
          'judged objects a second',
        ],
        rows: cases.map((one) => [
          one.line,
          countText(one.size),
          ...['bytes', 'idle', 'peak'].map((what) => bytesText(numberOf(one, what))),
          timeText(timeOf(one, 'whole')),
          countText(perSecond(one)),
        ]),
        notes: [
          'The load lab reads the memory from the operating system every 100 ms. A figure is the sum of the service process and its children, such as the engine host. Memory pages of files that several of them use, such as the program itself, count once. Redis and the client use the same cores as the service.',
        ],
      },
    ],
    gates: lines.flatMap(({ name, most, cases: own }) =>
      own.map((one) =>
        boundGate(`${name}, ${countText(one.size)} objects: peak memory`, 'bytes', {
          figure: megabytes(numberOf(one, 'peak')),
          most: megabytes(most),
          unit: 'MB',
        }),
      ),
    ),
    cells: [
      ...timeCells(cases),
      ...cases.flatMap((one) => medianCell({ id: `${one.line}/${one.size}/peak`, unit: 'bytes', samples: [numberOf(one, 'peak')] })),
    ],
    notes: cases.flatMap(({ line, facts: { why } }) => (why === undefined ? [] : [`${line}: not measured, ${why}.`])),
  };
}

const megabytes = <Bytes extends number | undefined>(bytes: Bytes): Bytes =>
  (bytes === undefined ? undefined : Math.round(bytes / 2 ** 20)) as Bytes;

/** Returns a sentence about the memory needed by the most and by the fewest objects; undefined if no memory was measured. */
function growthText(name: string, cases: readonly CaseFigures[]): string | undefined {
  const known = measured(cases, (one) => numberOf(one, 'peak'));
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const beside =
    first === last ? '' : `, ${timesText(quotient(last.value, first.value))} the memory for ${countText(first.item.size)} objects`;
  return `${name} of ${countText(last.item.size)} objects: memory at most ${bytesText(last.value)}${beside}`;
}
