/** Processes of one kind that take jobs from one queue, each one job at a time. */
export interface Station {
  readonly name: string;
  readonly servers: number;
}

/** One stop of a request: so much work at a station. */
export interface Visit {
  readonly station: number;
  /** Mean CPU time, ms, on a core of its own. */
  readonly ms: number;
}

/** A closed network: so many customers, each of whom sends its next request when the last was answered, and processes that share the cores of one machine. */
export interface ClosedNetwork {
  readonly stations: readonly Station[];
  /** What a request does, in order. */
  readonly path: readonly Visit[];
  /** Time of a request in which nobody computes, ms: the network, timers, wake-ups. */
  readonly delayMs: number;
  readonly customers: number;
  readonly cores: number;
  /** How times are spread around their mean. */
  readonly spread: 'exponential' | 'fixed';
}

/** What a network does in the long run. */
export interface NetworkFigures {
  readonly perSecond: number;
  /** From sending to the answer, ms. */
  readonly meanMs: number;
}

/** A request under way. */
interface Job {
  begun: number;
  stop: number;
  /** Work left at its station, ms on a core of its own; of one that waits outside of all stations, when that ends. */
  left: number;
}

/** Of all requests the share that only fills the network. */
const WARM_UP = 0.1;
/** Events within this factor of the next one happen together with it: sums of fractions are not exact. */
const TOGETHER = 1 + 1e-12;

/**
 * Simulates a closed network, event by event: at each station as many jobs as it has servers are worked on, first come first served, and all those share the
 * cores equally. Throws a RangeError if there are no cores, because then nothing is ever answered. Without the sharing it is the network whose throughput the mean value analysis of Reiser and Lavenberg (1980) gives.
 */
export function simulate(network: ClosedNetwork, requests: number, random: () => number): NetworkFigures {
  if (!(network.cores > 0)) throw new RangeError('a network needs a share of a core');
  return new Simulation(network, random).run(requests);
}

class Simulation {
  readonly #network: ClosedNetwork;
  readonly #random: () => number;
  readonly #queues: Job[][];
  #outside: Job[] = [];
  #now = 0;

  constructor(network: ClosedNetwork, random: () => number) {
    this.#network = network;
    this.#random = random;
    this.#queues = network.stations.map(() => []);
  }

  run(requests: number): NetworkFigures {
    const warmUp = Math.ceil(requests * WARM_UP);
    for (let customer = 0; customer < this.#network.customers; customer++) this.#send({ begun: 0, stop: 0, left: 0 });
    let [answered, from, sum] = [0, 0, 0];
    while (answered < requests) {
      for (const job of this.#advance()) {
        answered += 1;
        if (answered === warmUp) from = this.#now;
        if (answered > warmUp) sum += this.#now - job.begun;
        this.#send(job);
      }
    }
    const counted = answered - warmUp;
    return { perSecond: (1000 * counted) / (this.#now - from), meanMs: sum / counted };
  }

  #send(job: Job): void {
    job.begun = this.#now;
    job.stop = -1;
    job.left = this.#now + this.#time(this.#network.delayMs);
    this.#outside.push(job);
  }

  /** Goes on to the next event; the requests that are answered by it. */
  #advance(): Job[] {
    const active = this.#queues.flatMap((queue, i) => queue.slice(0, this.#network.stations[i]?.servers));
    const rate = Math.min(1, this.#network.cores / active.length);
    const untilDone = Math.min(...active.map(({ left }) => left / rate));
    const untilBack = Math.min(...this.#outside.map(({ left }) => left - this.#now));
    const step = Math.max(0, Math.min(untilDone, untilBack));
    const together = step * TOGETHER;
    const done = active.filter(({ left }) => left / rate <= together);
    const back = this.#outside.filter(({ left }) => left - this.#now <= together);
    this.#now += step;
    for (const job of active) job.left -= step * rate;
    this.#outside = this.#outside.filter((job) => !back.includes(job));
    return [...done, ...back].filter((job) => this.#goOn(job));
  }

  /** Takes a job to its next stop; true when there is none. */
  #goOn(job: Job): boolean {
    const { path } = this.#network;
    const queue = this.#queues[path[job.stop]?.station ?? -1];
    queue?.splice(queue.indexOf(job), 1);
    job.stop += 1;
    const visit = path[job.stop];
    if (visit === undefined) return true;
    job.left = this.#time(visit.ms);
    this.#queues[visit.station]?.push(job);
    return false;
  }

  #time(meanMs: number): number {
    return this.#network.spread === 'fixed' ? meanMs : -Math.log(1 - this.#random()) * meanMs;
  }
}
