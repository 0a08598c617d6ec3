import { validateObject } from '#crd';
import type { CompiledDefinition, ObjectVerdict } from '#crd';
import { fixedText, NOT_MEASURED } from '../measure/figures.ts';
import { percentile } from '../measure/percentile.ts';
import { compiledAsStored, isOfReader, timed } from '../workloads/judging.ts';
import { corpusCases } from '../workloads/object-cases.ts';
import type { ObjectCase } from '../workloads/object-cases.ts';
import type { BenchTable } from './bench-table.ts';

/** Bytes after which a reader is generated. See `adaptive-reader.ts`. */
const PATIENCE = 64 * 1024;
/** Of how many definitions a quick run takes one. */
const QUICK_SHARE = 12;
const ROUNDS = 7;
/** Least time of one figure, ms: what lies far above the clock's steps. */
const LEAST_MS = 0.2;

/** What became of one object: its time from bytes to verdict by that of `JSON.parse`. */
interface Reading {
  readonly ratio: number;
  readonly byReader: boolean;
}

/** All objects that the corpora's suites create and a server accepts: bytes → verdict beside `JSON.parse` of the same bytes. */
export function benchCorpusObjects(quick: boolean): BenchTable {
  const cases = corpusCases().filter((_, i) => !quick || i % QUICK_SHARE === 0);
  const readings = cases.flatMap(readingsOf);
  const ratios = readings.map(({ ratio }) => ratio);
  const read = readings.filter(({ byReader }) => byReader).length;
  const rows = (
    [
      ['median', 50, 2.5],
      ['95 %', 95, 5],
    ] as const
  ).map(([name, share, wanted]) => {
    const ratio = percentile(ratios, share);
    return [name, fixedText(ratio, 2), `≤ ${wanted}`, ratio === undefined ? NOT_MEASURED : ratio <= wanted ? 'met' : 'missed'];
  });
  return {
    columns: ['whole ÷ JSON.parse', 'ratio', 'wanted', 'gate'],
    rows,
    failedGates: [],
    notes: [
      `${readings.length} accepted objects of ${cases.length} definitions and versions, ${read} of them judged by readers, which were generated before. Each object by itself: fastest of ${ROUNDS} rounds of ${LEAST_MS} ms, in turns.`,
    ],
  };
}

function readingsOf({ definition, version, bodies }: ObjectCase): Reading[] {
  const served = compiledAsStored(definition);
  const accepted = bodies.filter((body) => judge(served, body, version) !== undefined);
  for (let bytes = 0; accepted.length > 0 && bytes <= PATIENCE;) {
    for (const body of accepted) {
      judge(served, body, version);
      bytes += body.length;
    }
  }
  return accepted.map((body) => {
    const whole = (): unknown => judge(served, body, version);
    const parse = (): unknown => JSON.parse(body.toString());
    const times = Math.max(1, Math.ceil(LEAST_MS / Math.max(timed(whole).ms, 0.001)));
    const repeated = (run: () => unknown): number =>
      timed(() => {
        for (let n = 0; n < times; n++) run();
      }).ms;
    let [best, bestParse] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < ROUNDS; round++) {
      best = Math.min(best, repeated(whole));
      bestParse = Math.min(bestParse, repeated(parse));
    }
    const verdict = judge(served, body, version);
    return { ratio: best / bestParse, byReader: verdict !== undefined && isOfReader(verdict) };
  });
}

/** The verdict on a body; undefined where it was not accepted. */
function judge(definition: CompiledDefinition, body: Buffer, version: string): ObjectVerdict | undefined {
  const verdict = validateObject(
    definition,
    { operation: 'CREATE', body, contentType: 'application/json', fieldValidation: 'Warn', version },
    { timings: true },
  );
  return 'cancelled' in verdict || !verdict.accepted ? undefined : verdict;
}
