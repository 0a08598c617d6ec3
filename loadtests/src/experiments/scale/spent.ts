import { cpuMs, machineBusyMs, processTree } from '../../measure/process-cpu.ts';
import { redisCommands } from '../../measure/redis-commands.ts';

/** Processes under load: those that serve, each with its engine host below it, and a Redis where there is one. */
export interface LoadedSystem {
  readonly url: string;
  readonly nodes: readonly number[];
  readonly redisUrl: string | undefined;
}

/** CPU time that the processes of a system took, ms, and what Redis did: until now, or between two moments. */
export interface Spent {
  readonly node: number;
  readonly engine: number;
  readonly redis: number;
  readonly client: number;
  readonly commands: number;
  /** CPU time of everything else on the machine, ms. */
  readonly others: number;
}

/** Returns the spending of a system and of its load generator, this process, until now. */
export function spentBy({ nodes, redisUrl }: LoadedSystem): Spent {
  const redis = redisUrl === undefined ? { cpuMs: 0, count: 0 } : redisCommands(redisUrl);
  const own = process.cpuUsage();
  const computed = {
    node: cpuMs(nodes),
    engine: cpuMs(nodes.flatMap((id) => processTree(id).slice(1))),
    redis: redis.cpuMs,
    client: (own.user + own.system) / 1000,
  };
  return {
    ...computed,
    others: machineBusyMs() - Object.values(computed).reduce((sum, one) => sum + one, 0),
    commands: redis.count,
  };
}

/** Returns the spending between two moments. */
export const spentSince = (before: Spent, after: Spent): Spent => ({
  node: after.node - before.node,
  engine: after.engine - before.engine,
  redis: after.redis - before.redis,
  client: after.client - before.client,
  commands: after.commands - before.commands,
  others: after.others - before.others,
});
