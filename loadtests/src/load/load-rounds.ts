import { shuffled } from '../../../testing/seeded-random.ts';
import type { Lab } from '../lab.ts';
import type { CaseFigures, Facts } from '../study/study.ts';
import type { EvaluateBody } from '../workloads/request-bodies.ts';
import { closedLoad } from './closed-load.ts';
import type { ClosedLoad } from './closed-load.ts';
import { latencyFacts } from './load-figures.ts';

/** The length of a load: time, or a number of requests. */
export type LoadLength = { readonly seconds: number } | { readonly requests: number };

/** Closed load that sends one body to one system. */
export interface RoundLoad {
  /** Name of the line of the chart: the system under load. */
  readonly line: string;
  readonly url: string;
  readonly body: EvaluateBody;
  readonly connections: number;
  /** Length of the load in each round, in seconds or as a number of requests. */
  readonly length: LoadLength;
  /** Length of the warm-up load that is sent once before the first round. */
  readonly warmUp?: LoadLength;
}

/** Figures of a load, collected over all rounds. */
interface Taken {
  readonly load: RoundLoad;
  readonly rates: number[];
  readonly times: number[];
  sent: number;
  failed: number;
  /** Latencies of the last round. */
  latencies: Facts;
}

/** Closed loads that are sent in turns, in random order within each round. */
export class LoadRounds {
  readonly #lab: Lab;
  readonly #taken: readonly Taken[];

  constructor(lab: Lab, loads: readonly RoundLoad[]) {
    this.#lab = lab;
    this.#taken = loads.map((load) => ({ load, rates: [], times: [], sent: 0, failed: 0, latencies: {} }));
  }

  /**
   * Sends each load once in each of `rounds` rounds, in random order within a round. Stops early if the run is stopped or the time of the
   * experiment is over.
   */
  async run(rounds: number): Promise<void> {
    const turns = Array.from({ length: rounds }, () => shuffled(this.#taken, this.#lab.random)).flat();
    for await (const one of this.#lab.each(turns)) await this.#send(one);
  }

  async #send(taken: Taken): Promise<void> {
    const { load } = taken;
    const { signal } = this.#lab;
    this.#lab.say(`${load.line}: ${load.body.name}`);
    const { connections, length, warmUp, body, url } = load;
    const send = (some: LoadLength): Promise<ClosedLoad> =>
      closedLoad(`${url}/evaluate`, body.text, { connections, ...some, expected: body.accepted, signal });
    if (taken.sent === 0 && warmUp) await send(warmUp);
    const seen = await send(length);
    taken.sent += seen.requests;
    taken.failed += seen.failures;
    taken.latencies = latencyFacts(seen.latencies);
    // Refusals are fast, so the rate of a load with failures is not its throughput.
    const rate = seen.requestsPerSecond * body.objects * (1 - seen.failures / Math.max(1, seen.requests));
    if (rate > 0) taken.rates.push(rate);
    const time = seen.latencies.p50 ?? seen.latencies.max;
    if (time !== undefined) taken.times.push(time);
  }

  /**
   * Figures so far, with one value for each round: objects per second (`rate`), and the time of a request in ms (`request`). The time is
   * the median of the round. If a round has too few requests for a median, its longest time is used.
   */
  get cases(): CaseFigures[] {
    return this.#taken.map(({ load: { line, body }, rates, times, sent, failed, latencies }) => ({
      line,
      size: body.objects,
      rates: { rate: rates },
      times: { request: times },
      facts: { bytes: Buffer.byteLength(body.text), sent, failed, ...latencies },
    }));
  }
}
