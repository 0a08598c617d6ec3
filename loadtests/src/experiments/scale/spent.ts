import { execFileSync } from 'node:child_process';
import type { StartedFleet } from '../../load/start-fleet.ts';
import { cpuMs, machineBusyMs, processTree } from '../../measure/process-cpu.ts';

/** CPU time that the processes of a fleet took, ms, and what Redis did: until now, or between two moments. */
export interface Spent {
  readonly api: number;
  readonly worker: number;
  readonly engine: number;
  readonly redis: number;
  readonly client: number;
  readonly commands: number;
  readonly bytes: number;
  /** CPU time of everything else on the machine, ms. */
  readonly others: number;
}

/** What a fleet and its load generator, this process, spent until now. */
export function spentBy({ processId, workers, redisUrl }: StartedFleet): Spent {
  const redis = redisInfo(redisUrl);
  const own = process.cpuUsage();
  const computed = {
    api: cpuMs(processTree(processId)),
    worker: cpuMs(workers.map((worker) => worker.processId)),
    engine: cpuMs(workers.flatMap((worker) => processTree(worker.processId).slice(1))),
    redis: 1000 * ((redis.get('used_cpu_sys') ?? 0) + (redis.get('used_cpu_user') ?? 0)),
    client: (own.user + own.system) / 1000,
  };
  return {
    ...computed,
    others: machineBusyMs() - Object.values(computed).reduce((sum, one) => sum + one, 0),
    commands: redis.get('total_commands_processed') ?? 0,
    bytes: (redis.get('total_net_input_bytes') ?? 0) + (redis.get('total_net_output_bytes') ?? 0),
  };
}

/** What was spent between two moments. */
export const spentSince = (before: Spent, after: Spent): Spent => ({
  api: after.api - before.api,
  worker: after.worker - before.worker,
  engine: after.engine - before.engine,
  redis: after.redis - before.redis,
  client: after.client - before.client,
  commands: after.commands - before.commands,
  bytes: after.bytes - before.bytes,
  others: after.others - before.others,
});

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
