import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { thorough } from '../../../../testing/thorough.ts';
import { ASSAY } from '../assay-process.ts';
import { peakHook } from '../peak-hook.ts';
import { AssayHost } from '../../../../testing/run-assay.ts';

/** Value of an environment variable of each measured process. It must not appear in any output. */
export const SECRET = 'hunter2-SECRET';

/** Result of a run of the command line. */
export interface MeasuredRun {
  readonly status: number | null;
  /** Standard output and standard error together. */
  readonly text: string;
  /** Processor time of a run in a shared process, which no other load of the machine changes; otherwise the time by the clock. */
  readonly ms: number;
  /** Peak memory of the process in MiB; undefined if the process was killed. */
  readonly peakMib: number | undefined;
}

/** Maximum duration of a run in ms. After it, the process is killed, and its status is null. */
const KILL_AFTER_MS = 60_000;

/** Property of the global object under which all specs of one process find the same host. */
const HOST = Symbol.for('assay.hostile-host');

/** Options that bound a run. A shared process needs none: it starts its threads again for each run with `--timeout`. */
export const BOUND: readonly string[] = thorough ? ['--timeout', '15s'] : [];

/**
 * Runs the command line in a folder. In normal test runs, all runs share one process, whose peak memory is that of all runs so far. In
 * thorough test runs, each run has its own process.
 */
export function measuredRun(folder: string, argv: readonly string[]): Promise<MeasuredRun> {
  return thorough ? freshRun(folder, argv) : hostedRun(folder, argv);
}

/** Runs the command line in a process that is shared. Its environment contains {@link SECRET} from the start. */
async function hostedRun(folder: string, argv: readonly string[]): Promise<MeasuredRun> {
  const shared = globalThis as { [HOST]?: AssayHost };
  const host = (shared[HOST] ??= new AssayHost({ ASSAY_TEST_SECRET: SECRET }));
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), KILL_AFTER_MS);
  const run = await Promise.race([host.run(argv, { cwd: folder }), late.promise]);
  clearTimeout(timer);
  const { cpuMs, peakMib } = host.usage;
  if (run !== undefined) return { status: run.status, text: run.stdout + run.stderr, ms: cpuMs, peakMib };
  host.kill();
  delete shared[HOST];
  return { status: null, text: '', ms: KILL_AFTER_MS, peakMib: undefined };
}

/** Runs the command line in a folder and in a new process, as a user does. */
export async function freshRun(folder: string, argv: readonly string[]): Promise<MeasuredRun> {
  const scratch = mkdtempSync(join(tmpdir(), 'assay-peak-'));
  const [hook, peak] = [join(scratch, 'peak.cjs'), join(scratch, 'peak')];
  writeFileSync(hook, peakHook(peak));
  const begun = performance.now();
  const child = spawn(process.execPath, [ASSAY, ...argv], {
    cwd: folder,
    env: { ...process.env, ASSAY_TEST_SECRET: SECRET, NODE_OPTIONS: `--require ${hook}` },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: KILL_AFTER_MS,
    killSignal: 'SIGKILL',
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  const status = await new Promise<number | null>((done) => child.on('close', done));
  const peakMib = existsSync(peak) ? Number(readFileSync(peak, 'utf8')) / 1024 : undefined;
  return { status, text, ms: performance.now() - begun, peakMib };
}
