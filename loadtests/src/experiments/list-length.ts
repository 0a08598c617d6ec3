import { compileDefinition, validateObject } from '#crd';
import type { CompiledDefinition, ObjectVerdict } from '#crd';
import { LATEST_MINOR, writeJson } from '#kube';
import { closedLoad } from '../load/closed-load.ts';
import type { ClosedLoad } from '../load/closed-load.ts';
import { startService } from '../load/start-service.ts';
import { median } from '../measure/percentile.ts';
import { KEP_LISTS, listBody, listDefinition, ruleOf } from '../workloads/list-workload.ts';
import type { ListWorkload } from '../workloads/list-workload.ts';
import type { Experiment, Table, Thoroughness } from './experiment.ts';

const UNLIMITED = Number.MAX_SAFE_INTEGER;
const ROUNDS = { quick: 7, full: 25 } as const;
const SECONDS = { quick: 4, full: 20 } as const;

/** KEP-2876's experiment: does one rule over the longest possible list stay within the time that the KEP allows? */
export const listLength: Experiment = {
  name: 'list-length',
  question: 'How long does one rule take over the worst lists that fit into a request?',
  async run(thoroughness, say) {
    const service = await startService();
    const rows: string[][] = [];
    const failedGates: string[] = [];
    try {
      for (const workload of KEP_LISTS) {
        say(`${workload.name}: in-process`);
        const measured = inProcess(workload, ROUNDS[thoroughness]);
        say(`${workload.name}: over HTTP`);
        const load = await overHttp(workload, service.url, thoroughness);
        rows.push(row(workload, measured, load));
        failedGates.push(...gates(workload, measured, load));
      }
    } finally {
      await service.stop();
    }
    return table(rows, failedGates);
  },
};

/** Medians over rounds, ms; and what was judged. */
interface InProcess {
  readonly parse: number;
  readonly schema: number;
  readonly cel: number;
  readonly total: number;
  readonly cost: number;
  readonly accepted: boolean;
  /** The same write under the server's own limits. */
  readonly limited: ObjectVerdict;
}

function inProcess(workload: ListWorkload, rounds: number): InProcess {
  const outcome = compileDefinition(listDefinition(workload), { minor: LATEST_MINOR });
  if (!outcome.ok) throw new Error(`the experiment's definition was refused: ${outcome.status.message}`);
  const body = Buffer.from(listBody(workload));
  const write = (definition: CompiledDefinition, limits: { costLimit?: number; budget?: number }): ObjectVerdict =>
    validateObject(
      definition,
      { operation: 'CREATE', body, contentType: 'application/json', fieldValidation: 'Warn' },
      { timings: true, ...limits },
    );
  const samples = { parse: [] as number[], schema: [] as number[], cel: [] as number[], total: [] as number[] };
  let cost = -1;
  let accepted = false;
  for (let round = 0; round < rounds + 2; round++) {
    const started = performance.now();
    const verdict = write(outcome.definition, { costLimit: UNLIMITED, budget: UNLIMITED });
    const total = performance.now() - started;
    if ('cancelled' in verdict || !verdict.phases) throw new Error('the experiment was cancelled');
    if (round < 2) continue;
    samples.parse.push(verdict.phases.parse);
    samples.schema.push(verdict.phases.prune + verdict.phases.openapi);
    samples.cel.push(verdict.phases.cel);
    samples.total.push(total);
    cost = verdict.cost.cel ?? -1;
    accepted = verdict.accepted;
  }
  const limited = write(outcome.definition, {});
  return {
    parse: median(samples.parse),
    schema: median(samples.schema),
    cel: median(samples.cel),
    total: median(samples.total),
    cost,
    accepted,
    limited,
  };
}

function overHttp(workload: ListWorkload, url: string, thoroughness: Thoroughness): Promise<ClosedLoad> {
  const options = '{"costLimits":{"perCall":"unlimited","perObject":"unlimited"}}';
  const body = `{"definitions":[${writeJson(listDefinition(workload))}],"objects":[${listBody(workload)}],"options":${options}}`;
  return closedLoad(`${url}/evaluate`, body, 2, SECONDS[thoroughness]);
}

const ms = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(1));

function row(workload: ListWorkload, m: InProcess, load: ClosedLoad): string[] {
  const within = m.cel <= workload.kepMs ? 'within raw' : m.cel <= 5 * workload.kepMs ? 'within ×5' : 'above';
  return [
    workload.name,
    ruleOf(workload),
    ms(m.parse),
    ms(m.schema),
    ms(m.cel),
    ms(m.total),
    `${workload.kepMs} / ${5 * workload.kepMs}: ${within}`,
    ((m.cel * 1e6) / workload.elements).toFixed(2),
    String(m.cost),
    limitText(m.limited),
    `${load.requestsPerSecond.toFixed(1)}/s p50 ${load.p50Ms} p99 ${load.p99Ms}`,
  ];
}

function limitText(verdict: ObjectVerdict): string {
  if ('cancelled' in verdict) return 'cancelled';
  return verdict.accepted ? 'accepted' : 'cut by the per-call limit';
}

/** Cost units and verdicts are exact, so they are gates: an `all` costs a fixed number of units an element. */
function gates(workload: ListWorkload, m: InProcess, load: ClosedLoad): string[] {
  const failed: string[] = [];
  if (!m.accepted) failed.push(`${workload.name}: the list was not accepted without limits`);
  const perElement = m.cost / workload.elements;
  if (Math.round(perElement) !== UNITS_PER_ELEMENT)
    failed.push(`${workload.name}: ${m.cost} units are not ${UNITS_PER_ELEMENT} an element`);
  if (load.failures > 0 || load.requests === 0) failed.push(`${workload.name}: ${load.failures} of ${load.requests} requests failed`);
  return failed;
}

/** `all` costs 3 units an element (loop condition 2, accumulator 1), the predicate 2 (the element, and the comparison or call). */
const UNITS_PER_ELEMENT = 5;

function table(rows: string[][], failedGates: string[]): Table {
  return {
    columns: [
      'list',
      'rule',
      'parse ms',
      'schema ms',
      'CEL ms',
      'total ms',
      'KEP raw / ×5 ms (CEL)',
      'CEL ns/element',
      'cost units',
      "server's limits",
      'HTTP, 2 connections (ms)',
    ],
    rows,
    failedGates,
    notes: [
      'In-process figures are medians; parse includes decoding, schema is pruning, defaulting, OpenAPI and list types.',
      'The HTTP load is closed (autocannon): each connection sends its next request when the last is answered, so its latencies omit waiting that an open load would show.',
    ],
  };
}
