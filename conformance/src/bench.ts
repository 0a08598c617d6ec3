import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { BenchRequest, BenchTask } from './bench-protocol.ts';

const FROM_SOURCE = import.meta.url.endsWith('.ts');
const ENTRY = fileURLToPath(new URL(`./bench-process${FROM_SOURCE ? '.ts' : '.js'}`, import.meta.url));
/**
 * Number of lines that are sent to a process at a time, so that it computes their verdicts. `BATCH_TIMEOUT_MS` is the maximum time for the
 * answers to these lines, in ms.
 */
const BATCH_LINES = 64;
const BATCH_TIMEOUT_MS = 120_000;

/** Task whose lines a process answers. `broken` returns the answer to a line that crashed the process. */
export interface BenchJob {
  readonly task: BenchTask;
  readonly broken: (line: string, why: string) => string;
}

/** Separate process that computes verdicts, so that no case can end the test run. It can work on several tasks, one after the other. */
export class Bench {
  #child: ChildProcess | undefined;
  #answered = false;

  close(): void {
    this.#child?.kill('SIGKILL');
  }

  /**
   * Computes the verdicts on a batch of lines. If the batch crashes the process, its lines are sent again one by one. A line that crashes
   * the process alone gets the answer of the job's `broken`.
   */
  async judge(job: BenchJob, batch: readonly string[]): Promise<string[]> {
    const answers = await this.#ask({ task: job.task, lines: batch });
    if (typeof answers !== 'string') return answers;
    // A process that has never answered cannot start, so the next case would fail, too.
    if (batch.length === 1 && !this.#answered) throw new Error(`the judging process does not start: ${answers}`);
    if (batch.length === 1) return [job.broken(batch[0] ?? '', answers)];
    const single: string[] = [];
    for (const line of batch) single.push(...(await this.judge(job, [line])));
    return single;
  }

  /** Sends a batch to the process. Resolves with the answers, or with the reason why the process ended before it answered. */
  #ask(request: BenchRequest): Promise<string[] | string> {
    const child = (this.#child ??= fork(ENTRY, [], {
      execArgv: ['--stack-size=4000', '--max-old-space-size=4096', ...(FROM_SOURCE ? ['--conditions=source'] : [])],
      serialization: 'advanced',
    }));
    return new Promise((resolve) => {
      const settle = (outcome: string[] | string): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        if (typeof outcome === 'string') {
          child.kill('SIGKILL');
          this.#child = undefined;
        }
        resolve(outcome);
      };
      const timer = setTimeout(() => settle(`no answer within ${BATCH_TIMEOUT_MS / 1000} s`), BATCH_TIMEOUT_MS);
      child.once('message', (answers) => {
        this.#answered = true;
        settle(answers as string[]);
      });
      child.once('exit', (code, signal) => settle(`the judging process ended (${signal ?? `code ${code}`})`));
      child.once('error', (error) => settle(error.message));
      child.send(request);
    });
  }
}

/** Processes that compute verdicts. A process that is idle works on the next file, because starting one takes longer than most files. */
export class BenchPool {
  readonly #idle: Bench[] = [];

  /** Calls `work` with a process that no other caller uses meanwhile. */
  async use<T>(work: (bench: Bench) => Promise<T>): Promise<T> {
    const bench = this.#idle.pop() ?? new Bench();
    try {
      return await work(bench);
    } finally {
      this.#idle.push(bench);
    }
  }

  /** Ends all processes. No work may be running. */
  close(): void {
    for (const bench of this.#idle.splice(0)) bench.close();
  }
}

/**
 * Yields the answers to lines in order, from several processes that compute verdicts. With n processes, each process gets every n-th batch
 * of 64 lines. At most one batch per process is read ahead.
 */
export async function* answersOf(benches: readonly Bench[], job: BenchJob, lines: AsyncIterable<string>): AsyncGenerator<string> {
  const idle = benches.map((): Promise<unknown> => Promise.resolve());
  const pending: Promise<string[]>[] = [];
  let batches = 0;
  for await (const batch of batchesOf(lines)) {
    const lane = batches++ % benches.length;
    const answers = (idle[lane] ?? Promise.resolve()).then(() => benches[lane]?.judge(job, batch) ?? []);
    idle[lane] = answers.catch(() => undefined);
    pending.push(answers);
    if (pending.length > benches.length) yield* (await pending.shift()) ?? [];
  }
  for (const answers of pending) yield* await answers;
}

async function* batchesOf(lines: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const line of lines) {
    if (batch.push(line) < BATCH_LINES) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
