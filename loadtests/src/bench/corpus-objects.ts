import { validateObject } from '#crd';
import type { CompiledDefinition, ObjectVerdict } from '#crd';
import { percentile } from '#benchmark';
import { fixedText } from '#charts';
import { compiledAsStored, isOfReader, timed } from '../workloads/judging.ts';
import { corpusCases } from '../workloads/object-cases.ts';
import type { ObjectCase } from '../workloads/object-cases.ts';
import type { BenchTable } from './bench-table.ts';

/** Bytes after which a reader is generated. See `adaptive-reader.ts`. */
const PATIENCE = 64 * 1024;
/** Of how many definitions a quick run takes one. */
const QUICK_SHARE = 12;
const ROUNDS = 7;
/** Time that a definition's objects are judged before they are measured, ms: what a service does with a definition of which many objects come. */
const WARM_MS = { quick: 30, full: 100 } as const;
/** Least time of one figure, ms: what lies far above the clock's steps. */
const LEAST_MS = 0.2;

/** What became of one object: its time from bytes to verdict by that of `JSON.parse`. */
interface Reading {
  readonly ratio: number;
  /** The same for a reader that is new. */
  readonly earlyRatio: number;
  readonly byReader: boolean;
}

/** All objects that the corpora's suites create and a server accepts: bytes → verdict beside `JSON.parse` of the same bytes. */
export function benchCorpusObjects(quick: boolean): BenchTable {
  const cases = corpusCases().filter((_, i) => !quick || i % QUICK_SHARE === 0);
  const warmMs = WARM_MS[quick ? 'quick' : 'full'];
  const readings = cases.flatMap((one) => readingsOf(one, warmMs));
  const read = readings.filter(({ byReader }) => byReader).length;
  const at = (share: number, figure: 'ratio' | 'earlyRatio'): number | undefined =>
    percentile(
      readings.map((one) => one[figure]),
      share,
    );
  return {
    columns: ['whole ÷ JSON.parse', 'ratio', 'of the first objects'],
    rows: [50, 95].map((share) => [`${share} %`, fixedText(at(share, 'ratio'), 2), fixedText(at(share, 'earlyRatio'), 2)]),
    wanted: [
      { name: 'whole ÷ JSON.parse, median', value: at(50, 'ratio'), most: 2.5 },
      { name: 'whole ÷ JSON.parse, 95 %', value: at(95, 'ratio'), most: 5 },
    ],
    isForInformation: true,
    notes: [
      `${readings.length} accepted objects of ${cases.length} definitions and versions, ${read} of them judged by readers, which were generated before. Each object by itself: fastest of ${ROUNDS} rounds of ${LEAST_MS} ms, in turns, after ${warmMs} ms of its definition's objects (V8 has optimised its reader by then); the last column is measured as soon as there is a reader.`,
    ],
  };
}

function readingsOf({ definition, version, bodies }: ObjectCase, warmMs: number): Reading[] {
  const served = compiledAsStored(definition);
  const judge = (body: Buffer): ObjectVerdict | undefined => verdictOf(served, body, version);
  const accepted = bodies.filter((body) => judge(body) !== undefined);
  if (accepted.length === 0) return [];
  const bytes = accepted.reduce((sum, body) => sum + body.length, 0);
  for (let read = 0; read <= PATIENCE; read += bytes) accepted.forEach(judge);
  const ratios = (): number[] => accepted.map((body) => ratioOf(() => judge(body), body));
  const early = ratios();
  for (const until = performance.now() + warmMs; performance.now() < until;)
    for (const body of accepted) {
      judge(body);
      JSON.parse(body.toString());
    }
  const late = ratios();
  return accepted.map((body, i) => {
    const verdict = judge(body);
    return { ratio: late[i] as number, earlyRatio: early[i] as number, byReader: verdict !== undefined && isOfReader(verdict) };
  });
}

/** Time of judging a body by that of `JSON.parse`. */
function ratioOf(judge: () => unknown, body: Buffer): number {
  const times = Math.max(1, Math.ceil(LEAST_MS / Math.max(timed(judge).ms, 0.001)));
  const repeated = (run: () => unknown): number =>
    timed(() => {
      for (let n = 0; n < times; n++) run();
    }).ms;
  const [judging, parsing]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    judging.push(repeated(judge));
    parsing.push(repeated(() => JSON.parse(body.toString()) as unknown));
  }
  return Math.min(...judging) / Math.min(...parsing);
}

/** The verdict on a body; undefined where it was not accepted. */
function verdictOf(definition: CompiledDefinition, body: Buffer, version: string): ObjectVerdict | undefined {
  const verdict = validateObject(
    definition,
    { operation: 'CREATE', body, contentType: 'application/json', fieldValidation: 'Warn', version },
    { timings: true },
  );
  return 'cancelled' in verdict || !verdict.accepted ? undefined : verdict;
}
