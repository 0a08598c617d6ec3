import { execFileSync } from 'node:child_process';

/**
 * Returns the CPU time of a Redis server in ms and the number of commands that it processed, both since the server started. Commands inside
 * scripts count.
 */
export function redisCommands(url: string): { readonly cpuMs: number; readonly count: number } {
  const info = redisInfo(url);
  return {
    cpuMs: 1000 * ((info.get('used_cpu_sys') ?? 0) + (info.get('used_cpu_user') ?? 0)),
    count: info.get('total_commands_processed') ?? 0,
  };
}

/** Returns the numeric fields of Redis' `INFO`, by name. */
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
