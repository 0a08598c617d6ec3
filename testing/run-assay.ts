import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';

/** Result of one run of the command line. */
export interface AssayRun {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Working directory of a run, and its environment variables in addition to those of this process. */
export interface RunPlace {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly id: number;
  readonly result?: AssayRun;
  readonly error?: string;
  readonly usage: HostUsage;
}

/** Memory and processor time that a host used, as its latest answer told. */
export interface HostUsage {
  /** Peak memory of the process so far, in MiB. */
  readonly peakMib: number;
  /** Processor time of the latest run with all threads, in ms. */
  readonly cpuMs: number;
}

/** Process that runs one command after another, and the runs that it has not answered yet. */
export class AssayHost {
  readonly #child: ChildProcess;
  readonly #open = new Map<number, PromiseWithResolvers<AssayRun>>();
  #next = 0;
  usage: HostUsage = { peakMib: 0, cpuMs: 0 };

  /** Starts the process. `env` is added to the environment variables of this process. */
  constructor(env: Readonly<Record<string, string>> = {}) {
    this.#child = fork(join(import.meta.dirname, 'assay-host.cjs'), {
      env: { ...process.env, ...env },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child.on('message', ({ id, result, error, usage }: Answer) => {
      this.usage = usage;
      const run = this.#open.get(id);
      this.#open.delete(id);
      if (result === undefined) run?.reject(new Error(error));
      else run?.resolve(result);
      this.#let();
    });
    this.#child.on('exit', () => {
      for (const run of this.#open.values()) run.reject(new Error('the process of the command line ended'));
      this.#open.clear();
    });
  }

  /** Runs one command. */
  run(argv: readonly string[], { cwd = process.cwd(), env = {} }: RunPlace = {}): Promise<AssayRun> {
    const id = this.#next++;
    const run = Promise.withResolvers<AssayRun>();
    this.#open.set(id, run);
    this.#child.ref();
    this.#child.channel?.ref();
    this.#child.send({ id, argv, cwd, env });
    return run.promise;
  }

  /** Ends the process at once. Its open runs fail. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Lets this process end if no run is open. */
  #let(): void {
    if (this.#open.size > 0) return;
    this.#child.unref();
    this.#child.channel?.unref();
  }
}

/** Property of the global object under which all specs of one process find the same host. */
const HOST = Symbol.for('assay.test-host');

/**
 * Runs the bundled command line, and resolves with its output and exit status. All runs share one process with warm threads, so that
 * a run takes a tenth of the time that a new process takes. Use `AssayProcess` if the process itself matters: signals, pipes, or what is loaded.
 */
export function runAssay(argv: readonly string[], place: RunPlace = {}): Promise<AssayRun> {
  const shared = globalThis as { [HOST]?: AssayHost };
  return (shared[HOST] ??= new AssayHost()).run(argv, place);
}
