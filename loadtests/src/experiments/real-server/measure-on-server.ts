import { ApiWriter, copyDefinition, copyGroup, findCluster, moveToGroup, newRunId, sendPairs, TemporaryDefinitions } from '#cluster';
import type { ClusterWrite, LeftOutRules, PairsOutcome } from '#cluster';
import { isJsonObject, readJson, writeJson } from '#go';
import type { JsonObject } from '#go';

/** Definition with rules, and an object that is written with and without these rules. */
export interface ServerCase {
  readonly definition: JsonObject;
  /** JSON text of the object. */
  readonly body: string;
  /** Highest number of pairs, and the time of the measurement in ms. */
  readonly pairs: number;
  readonly durationMs: number;
}

/** Times in ms of a write without and with the rules of its definition. */
export interface ServerTimes {
  readonly without: readonly number[];
  /** Times with the rules. They are empty if the server answered none of these writes in time. */
  readonly with: readonly number[];
  /** HTTP code of the answers with the rules; undefined if there was no answer. */
  readonly code: number | undefined;
  /** Reason why the writes were not measured; undefined if they were. */
  readonly problem: string | undefined;
}

/** API servers end a request after 34 s. The client waits longer, so that it sees the answer. */
const LIMITS = { silenceMs: 60_000, totalMs: 90_000 } as const;
/** Highest number of requests a second. Requests are sent one after another, so this limit is never reached. */
const RATE = 10_000;
const FIRST_PAIRS = 6;

/** Client of a started API server, which measures writes with temporary definitions. */
export class ServerMeasurement {
  readonly #writer: ApiWriter;
  readonly #signal: AbortSignal;
  readonly #say: (progress: string) => void;

  /** Opens the client. Throws an error if the kubeconfig cannot be read. */
  constructor(kubeconfig: string, signal: AbortSignal, say: (progress: string) => void) {
    const found = findCluster({ kubeconfig, context: undefined, allowExec: false });
    if (!found.ok) throw new Error(found.problem.sentence);
    this.#writer = new ApiWriter(found.value, {}, LIMITS);
    this.#signal = signal;
    this.#say = say;
  }

  /**
   * Measures one write with and without rules, as dry runs in pairs. If the server does not answer in time with the rules, the times without the
   * rules are measured alone.
   */
  async measure(one: ServerCase): Promise<ServerTimes> {
    const runId = newRunId();
    const temporary = new TemporaryDefinitions(this.#writer, runId);
    try {
      for (const [label, leftOut] of [
        ['with', 'none'],
        ['without', 'all'],
      ] as const) {
        const created = await temporary.create(copyOf(one, { runId, label }, leftOut), this.#signal);
        if (!created.ok) return { without: [], with: [], code: undefined, problem: created.problem.sentence };
      }
      for (const name of temporary.names) await temporary.untilEstablished(name, this.#signal);
      const [bare, ruled] = ['without', 'with'].map((label) => writeOf(one, copyGroup({ runId, label })));
      if (bare === undefined || ruled === undefined) throw new Error('no write');
      // The writes without rules come first, because a write that takes too long may still occupy the server after its answer.
      const alone = await this.#send(temporary, bare, bare, { ...one, pairs: Math.min(one.pairs, FIRST_PAIRS) });
      const compared = alone.sent[0]?.problem === undefined ? await this.#send(temporary, bare, ruled, one) : alone;
      const [both] = compared.sent;
      const pairs = both?.problem === undefined ? (both?.pairs ?? []) : [];
      return {
        without: pairs.length > 0 ? pairs.map(({ a }) => a) : (alone.sent[0]?.pairs ?? []).flatMap(({ a, b }) => [a, b]),
        with: pairs.map(({ b }) => b),
        code: pairs.length > 0 ? both?.codes?.b : undefined,
        problem: both?.problem,
      };
    } finally {
      const { left } = await temporary.removeAll();
      for (const { name, why } of left) this.#say(`${name} is left: ${why}`);
    }
  }

  /** Closes the connections to the server. */
  close(): void {
    this.#writer.close();
  }

  #send(temporary: TemporaryDefinitions, a: ClusterWrite, b: ClusterWrite, { pairs, durationMs }: ServerCase): Promise<PairsOutcome> {
    const limits = { rate: RATE, durationMs, stopAtMs: Number.MAX_SAFE_INTEGER, maxPairs: pairs };
    return sendPairs([{ a, b }], limits, {
      first: (write) => temporary.firstWrite(write, this.#signal),
      send: (write) => this.#writer.write(write, this.#signal),
      reasonOf: ({ path }, outcome) =>
        outcome.kind === 'answered'
          ? this.#writer.refusal(path, outcome).sentence
          : outcome.kind === 'stopped'
            ? 'the run was stopped'
            : outcome.problem.sentence,
      report: () => undefined,
      signal: this.#signal,
    });
  }
}

function copyOf(
  { definition }: ServerCase,
  identity: { readonly runId: string; readonly label: string },
  leftOut: LeftOutRules,
): JsonObject {
  const copy = copyDefinition(definition, identity, leftOut);
  if (copy === undefined) throw new Error('no copy can be made of the definition');
  return copy;
}

function writeOf({ body }: ServerCase, group: string): ClusterWrite {
  const reading = readJson(body);
  const moved = reading.ok && isJsonObject(reading.value) ? moveToGroup(reading.value, group) : undefined;
  if (moved === undefined) throw new Error('the body is no object');
  const plural = `${String(moved['kind']).toLowerCase()}s`;
  const path = `/apis/${group}/v1/namespaces/default/${plural}?dryRun=All`;
  return { method: 'POST', path, body: Buffer.from(writeJson(moved)) };
}
