import { setTimeout } from 'node:timers/promises';
import { byLevel, flowPath } from '#runner/flow';
import type { Level, QueueKey } from '#runner/flow';
import { JOBS_OF_FLOW, JOBS_OF_LEVEL } from '../life/job-kind.ts';
import type { JobLine, PerformJob } from '../ports.ts';

/** Pause in ms before a job is performed again whose storage did not answer. */
const PAUSE_MS = 500;

/** Jobs of one flow, in the order in which they came. */
interface FlowJobs {
  /** Jobs that are performed, or are in the line of their level. */
  readonly standing: Set<string>;
  readonly waiting: Set<string>;
}

/** Job that is performed now. */
interface RunningJob {
  readonly level: Level;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** Line of the jobs of one kind in a process without Redis. */
export class EmbeddedLine implements JobLine {
  /** Maximum number of jobs of one flow in the line of their level. */
  readonly #maxPerFlow: number;
  #most = JOBS_OF_LEVEL;
  readonly #flows = new Map<string, FlowJobs>();
  /** Jobs in the line of their level that are not performed, in the order in which they came. */
  readonly #next: Readonly<Record<Level, Map<string, FlowJobs>>> = byLevel(() => new Map<string, FlowJobs>());
  readonly #running = new Map<string, RunningJob>();
  #perform: PerformJob | undefined;

  constructor(maxPerFlow = JOBS_OF_FLOW) {
    this.#maxPerFlow = maxPerFlow;
  }

  /** Adds a job after all jobs of its flow. */
  add(id: string, queueKey: QueueKey): void {
    const path = flowPath(queueKey);
    const flow = this.#flows.get(path) ?? { standing: new Set(), waiting: new Set() };
    this.#flows.set(path, flow);
    flow.waiting.add(id);
    this.#advance(flow, queueKey.level);
  }

  /** Removes a job that is over or forgotten. The next job of its flow takes its place. */
  remove(id: string, queueKey: QueueKey): void {
    const path = flowPath(queueKey);
    const flow = this.#flows.get(path);
    if (!flow) return;
    this.#next[queueKey.level].delete(id);
    flow.standing.delete(id);
    flow.waiting.delete(id);
    if (flow.standing.size + flow.waiting.size === 0) this.#flows.delete(path);
    else this.#advance(flow, queueKey.level);
  }

  serve(perform: PerformJob, most = JOBS_OF_LEVEL): () => Promise<void> {
    this.#perform = perform;
    this.#most = most;
    for (const level of Object.keys(this.#next) as Level[]) this.#beginNext(level);
    return async () => {
      this.#perform = undefined;
      const running = [...this.#running.values()];
      for (const { stop } of running) stop.abort();
      await Promise.all(running.map(({ done }) => done));
    };
  }

  #advance(flow: FlowJobs, level: Level): void {
    const { standing, waiting } = flow;
    for (const id of waiting) {
      if (standing.size >= this.#maxPerFlow) break;
      waiting.delete(id);
      standing.add(id);
      this.#next[level].set(id, flow);
    }
    this.#beginNext(level);
  }

  #beginNext(level: Level): void {
    const perform = this.#perform;
    if (!perform) return;
    for (const [id, flow] of this.#next[level]) {
      if (this.#count(level) >= this.#most) return;
      if (this.#running.has(id)) continue;
      this.#next[level].delete(id);
      const stop = new AbortController();
      this.#running.set(id, { level, stop, done: this.#run(id, level, flow, perform(id, stop.signal)) });
    }
  }

  /** Waits for the end of a job's work. A job that is not over returns to the line of its level, after the other jobs. */
  async #run(id: string, level: Level, flow: FlowJobs, performing: Promise<'over' | 'retry'>): Promise<void> {
    const answer = await performing.catch(() => 'failed' as const);
    this.#running.delete(id);
    if (answer === 'failed') await setTimeout(PAUSE_MS, undefined, { ref: false });
    if (answer !== 'over' && flow.standing.has(id)) this.#next[level].set(id, flow);
    this.#beginNext(level);
  }

  #count(level: Level): number {
    let count = 0;
    for (const job of this.#running.values()) if (job.level === level) count += 1;
    return count;
  }
}
