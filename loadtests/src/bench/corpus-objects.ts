import { validateObject } from '#crd';
import type { CompiledDefinition, ObjectVerdict } from '#crd';
import { percentile } from '#benchmark';
import { quotient } from '../measure/quotient.ts';
import { compiledAsStored, isOfReader } from '../workloads/judging.ts';
import { corpusCases } from '../workloads/object-cases.ts';
import type { ObjectCase } from '../workloads/object-cases.ts';
import type { BenchTable } from './bench-table.ts';
import { fastestMicros } from './fastest.ts';

/** A quick run measures one of this many definitions. */
const QUICK_SHARE = 12;
/**
 * Time in ms for which a definition's objects are validated before the measurement. This warm-up simulates a service that has already
 * validated many objects of the definition.
 */
const WARM_MS = { quick: 100, full: 200 } as const;
/** Time in ms for measuring one object. */
const OBJECT_MS = 5;

/**
 * Figures of one object. `ratio` is the time from bytes to verdict, divided by the time of `JSON.parse`. `byReader` is true if a generated
 * reader computed the verdict.
 */
interface Reading {
  readonly ratio: number | undefined;
  readonly byReader: boolean;
}

/**
 * Measures all objects that the test suites of the corpora (collections of real definitions) create and that a server accepts. Compares the
 * time from bytes to verdict with `JSON.parse` of the same bytes.
 */
export function benchCorpusObjects(quick: boolean): BenchTable {
  const cases = corpusCases().filter((_, i) => !quick || i % QUICK_SHARE === 0);
  const warmMs = WARM_MS[quick ? 'quick' : 'full'];
  const readings = cases.flatMap((one) => readingsOf(one, warmMs));
  const ratios = readings.flatMap(({ ratio }) => ratio ?? []);
  return {
    columns: [],
    rows: [],
    wanted: [
      { name: 'objects of the corpora: whole ÷ JSON.parse, median', value: percentile(ratios, 50), most: 2.5 },
      { name: 'objects of the corpora: whole ÷ JSON.parse, 95 %', value: percentile(ratios, 95), most: 5 },
    ],
    isForInformation: true,
    notes: [
      `${readings.length} accepted objects of ${cases.length} definitions and versions, ${readings.filter(({ byReader }) => byReader).length} of them judged by readers. Each object by itself: fastest rounds of ${OBJECT_MS} ms, in turns, after ${warmMs} ms of its definition's objects, so that its reader is generated, and optimised by V8.`,
    ],
  };
}

function readingsOf({ definition, version, bodies }: ObjectCase, warmMs: number): Reading[] {
  const served = compiledAsStored(definition);
  const judge = (body: Buffer): ObjectVerdict | undefined => verdictOf(served, body, version);
  const accepted = bodies.filter((body) => judge(body) !== undefined);
  for (const until = performance.now() + warmMs; accepted.length > 0 && performance.now() < until;) accepted.forEach(judge);
  return accepted.map((body) => {
    const micros = fastestMicros({ whole: () => judge(body), parse: () => JSON.parse(body.toString()) as unknown }, OBJECT_MS);
    const verdict = judge(body);
    return { ratio: quotient(micros('whole'), micros('parse')), byReader: verdict !== undefined && isOfReader(verdict) };
  });
}

/** Returns the verdict on a body; undefined if the body was not accepted. */
function verdictOf(definition: CompiledDefinition, body: Buffer, version: string): ObjectVerdict | undefined {
  const write = { operation: 'CREATE', body, contentType: 'application/json', fieldValidation: 'Warn', version } as const;
  const verdict = validateObject(definition, write, { timings: true });
  return 'cancelled' in verdict || !verdict.accepted ? undefined : verdict;
}
