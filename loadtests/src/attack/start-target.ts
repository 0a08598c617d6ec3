import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Role } from '../../../testing/app-arguments.ts';
import { redisOnPath } from '../../../testing/redis-server.ts';
import { startRedis } from '../load/start-fleet.ts';
import { startProgram } from '../load/start-program.ts';
import type { StartedProgram } from '../load/start-program.ts';
import { argumentsAsRun } from '../load/start-service.ts';
import type { Shape, Target } from './attack.ts';

/**
 * Started target of attacks, with its processes. A control server runs beside it: it only answers requests, so its delays are the
 * machine's.
 */
export interface StartedTarget extends Target {
  /** Processes of the service by name and process id; the first process serves HTTP. */
  readonly processes: readonly (readonly [name: string, processId: number])[];
  /** Headers with the credentials of the canary, a client that checks the service's health and verdicts during attacks. */
  readonly canarysCredentials: Readonly<Record<string, string>>;
  readonly controlPort: number;
  stop(): Promise<void>;
}

const SOURCE = import.meta.url.endsWith('.ts');

/**
 * Settings of the target. Timeouts are seconds instead of minutes, so that slow attacks end before the run ends. The limit for result bytes
 * is small.
 */
const SETTINGS = {
  HOST: '127.0.0.1',
  PORT: '0',
  ASSAY_THREADS: '2',
  ASSAY_THREAD_HEAP_MB: '512',
  ASSAY_DEADLINE_MS: '20000',
  ASSAY_BODY_TIMEOUT_MS: '3000',
  ASSAY_IDLE_BODY_MS: '1000',
  ASSAY_FLOW_RESULT_BYTES: String(8 * 1024 * 1024),
  LOG_LEVEL: 'fatal',
} as const;

const TOKENS = { attacker: 'token-of-the-attacker', other: 'token-of-another', canary: 'token-of-the-canary' } as const;

/**
 * Starts a service of the given shape (keys, processes and Redis), and a control server. The control server only answers requests, so that
 * its delays show the delays of the machine. Returns undefined if the machine lacks a required program. If the start fails, stops
 * everything that was started.
 */
export async function startTarget(shape: Shape): Promise<StartedTarget | undefined> {
  if (shape === 'fleet' && !redisOnPath()) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'assay-attack-'));
  const programs: StartedProgram[] = [];
  const stop = async (): Promise<void> => {
    for (const program of programs.reverse()) await program.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const variables = { ...SETTINGS, ...(await settingsOf(shape, folder, programs)) };
    const control = await startProgram({
      name: 'the control',
      command: process.execPath,
      args: [ownFile('control-server')],
      ready: /listens on (\d+)/,
    });
    programs.push(control);
    const api = await startApp('node', variables, /listens on http:\/\/\S+:(\d+)/);
    programs.push(api);
    const worker = shape === 'fleet' ? await startApp('worker', variables, /worker takes chunks/) : undefined;
    if (worker) programs.push(worker);
    const credentials = (token: string): Record<string, string> => (shape === 'keyed' ? { authorization: `Bearer ${token}` } : {});
    return {
      shape,
      port: Number(api.match[1]),
      credentials: credentials(TOKENS.attacker),
      othersCredentials: credentials(TOKENS.other),
      canarysCredentials: credentials(TOKENS.canary),
      journal: variables.ASSAY_JOURNAL,
      processes: [['API', api.processId], ...(worker ? [['worker', worker.processId] as const] : [])],
      controlPort: Number(control.match[1]),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Returns the settings with which a service of the given shape starts. Creates the files and starts the Redis server that the settings
 * refer to.
 */
async function settingsOf(shape: Shape, folder: string, programs: StartedProgram[]) {
  const journal = { ASSAY_JOURNAL: join(folder, 'journal.sqlite') };
  if (shape === 'keyed') {
    const file = join(folder, 'keys.yaml');
    const roles = ['evaluate', 'benchmark'];
    const keys = Object.entries(TOKENS).map(([name, token]) => ({ name, roles, sha256: createHash('sha256').update(token).digest('hex') }));
    writeFileSync(file, JSON.stringify(keys));
    return { ...journal, ASSAY_KEYS_FILE: file };
  }
  if (shape === 'embedded') return journal;
  const redis = await startRedis(folder);
  programs.push(redis);
  return { ...journal, ASSAY_REDIS_URL: redis.url };
}

/** Starts the service in a role. Runs the service from dist/ if this file itself runs from dist/, and otherwise from the sources. */
export function startApp(role: Role, variables: Readonly<Record<string, string>>, ready: RegExp): Promise<StartedProgram> {
  return startProgram({
    name: role,
    command: process.execPath,
    args: argumentsAsRun(),
    variables: { ...variables, ASSAY_ROLE: role },
    ready,
  });
}

const ownFile = (name: string): string => join(import.meta.dirname, `${name}${SOURCE ? '.ts' : '.js'}`);
