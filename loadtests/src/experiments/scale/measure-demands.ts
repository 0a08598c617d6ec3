import { execFileSync } from 'node:child_process';
import type { Lab, Thoroughness } from '../../lab.ts';
import { closedLoad } from '../../load/closed-load.ts';
import type { StartedFleet } from '../../load/start-fleet.ts';
import { cpuMs } from '../../measure/process-cpu.ts';
import { smallBody } from '../../workloads/request-bodies.ts';

/** Objects a request, at most as many as a chunk holds. */
export const BATCHES: Readonly<Record<Thoroughness, readonly number[]>> = { quick: [1, 250], full: [1, 25, 250] };
const SECONDS = { quick: 1, full: 5 } as const;
const WARM_UP_SECONDS = { quick: 1, full: 3 } as const;
/** Requests that are under way at once. */
export const CONNECTIONS = 8;

/** What one request costs: CPU time by who spends it, ms; the rest of its time when nobody else sends; what it makes Redis do. */
export interface RequestDemands {
  readonly api: number;
  readonly worker: number;
  readonly redis: number;
  /** The load generator's. */
  readonly client: number;
  readonly delay: number;
  readonly redisCommands: number;
  readonly redisBytes: number;
}

/** Requests a second under closed load, and milliseconds each. */
export interface MeasuredLoad {
  readonly requests: number;
  readonly perSecond: number;
  readonly meanMs: number;
}

/** Measures a closed load by so many connections; undefined where a request failed or none was answered. */
export async function measureLoad(
  lab: Lab,
  fleet: StartedFleet,
  batch: number,
  connections = CONNECTIONS,
): Promise<MeasuredLoad | undefined> {
  const body = smallBody(batch);
  const load = await closedLoad(`${fleet.url}/evaluate`, body.text, {
    connections,
    seconds: lab.of(SECONDS),
    expected: body.accepted,
    signal: lab.signal,
  });
  if (load.failures > 0 || load.requests === 0 || load.requestsPerSecond === 0) return undefined;
  return { requests: load.requests, perSecond: load.requestsPerSecond, meanMs: (1000 * connections) / load.requestsPerSecond };
}

/** Warms a fleet up. */
export async function warmUp(lab: Lab, fleet: StartedFleet): Promise<void> {
  for (const batch of lab.of(BATCHES))
    await closedLoad(`${fleet.url}/evaluate`, smallBody(batch).text, {
      connections: CONNECTIONS,
      seconds: lab.of(WARM_UP_SECONDS),
      signal: lab.signal,
    });
}

/** Measures what one request costs under load, and how long it takes beyond that when it is alone. */
export async function measureDemands(lab: Lab, fleet: StartedFleet, batch: number): Promise<RequestDemands | undefined> {
  const alone = await measureLoad(lab, fleet, batch, 1);
  const before = spent(fleet);
  const load = await measureLoad(lab, fleet, batch);
  const after = spent(fleet);
  if (alone === undefined || load === undefined) return undefined;
  const each = (figure: (at: Spent) => number): number => (figure(after) - figure(before)) / load.requests;
  const [api, worker, redis, client] = [each((at) => at.api), each((at) => at.worker), each((at) => at.redis), each((at) => at.client)];
  return {
    api,
    worker,
    redis,
    client,
    delay: Math.max(0, alone.meanMs - api - worker - redis - client),
    redisCommands: each((at) => at.commands),
    redisBytes: each((at) => at.bytes),
  };
}

/** CPU time that processes took since they began, ms, and what Redis did. */
interface Spent {
  readonly api: number;
  readonly worker: number;
  readonly redis: number;
  readonly client: number;
  readonly commands: number;
  readonly bytes: number;
}

function spent({ processId, workers, redisUrl }: StartedFleet): Spent {
  const redis = redisInfo(redisUrl);
  const own = process.cpuUsage();
  return {
    api: cpuMs([processId]),
    worker: cpuMs(workers.map((worker) => worker.processId)),
    redis: 1000 * ((redis.get('used_cpu_sys') ?? 0) + (redis.get('used_cpu_user') ?? 0)),
    client: (own.user + own.system) / 1000,
    commands: redis.get('total_commands_processed') ?? 0,
    bytes: (redis.get('total_net_input_bytes') ?? 0) + (redis.get('total_net_output_bytes') ?? 0),
  };
}

/** Figures of Redis's own account, by name. */
function redisInfo(url: string): ReadonlyMap<string, number> {
  const lines = execFileSync('redis-cli', ['-u', url, 'INFO', 'everything'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).split(/\r?\n/);
  return new Map(
    lines.flatMap((line) => {
      const [name, value] = line.split(':');
      return name !== undefined && value !== undefined && Number.isFinite(Number(value)) ? [[name, Number(value)] as const] : [];
    }),
  );
}
