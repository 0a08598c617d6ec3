import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ASSAY } from '../assay-process.ts';
import { peakHook } from '../peak-hook.ts';

/** Value of an environment variable of each measured process. It must not appear in any output. */
export const SECRET = 'hunter2-SECRET';

/** Result of a run of the command line. */
export interface MeasuredRun {
  readonly status: number | null;
  /** Standard output and standard error together. */
  readonly text: string;
  readonly ms: number;
  /** Peak memory of the process in MiB; undefined if the process was killed. */
  readonly peakMib: number | undefined;
}

/** Maximum duration of a run in ms. After it, the process is killed, and its status is null. */
const KILL_AFTER_MS = 60_000;

/** Runs the command line in a folder, as a user runs it. */
export async function measuredRun(
  folder: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<MeasuredRun> {
  const scratch = mkdtempSync(join(tmpdir(), 'assay-peak-'));
  const [hook, peak] = [join(scratch, 'peak.cjs'), join(scratch, 'peak')];
  writeFileSync(hook, peakHook(peak));
  const begun = performance.now();
  const child = spawn(process.execPath, [ASSAY, ...argv], {
    cwd: folder,
    env: { ...process.env, ASSAY_TEST_SECRET: SECRET, NODE_OPTIONS: `--require ${hook}`, ...env },
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
