import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';

/** Machine on which a result was measured. Times in ms are meaningless without it. */
export interface Environment {
  readonly cpu: string;
  readonly cores: string;
  readonly memory: string;
  readonly kernel: string;
  readonly node: string;
  readonly v8: string;
  /** CPU quota of the container in cores; `none` if there is no limit. */
  readonly quota: string;
  readonly revision: string;
}

/** Returns the properties of this machine and the project's revision. */
export function environment(): Environment {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: String(availableParallelism()),
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    kernel: release(),
    node: process.version,
    v8: process.versions.v8,
    quota: cpuQuota(),
    revision: revision(),
  };
}

/** Returns the CPU quota of the container. Source: the kernel's cgroup v2, `cpu.max`. */
function cpuQuota(): string {
  try {
    const [quota = 'max', period = '100000'] = readFileSync('/sys/fs/cgroup/cpu.max', 'utf8').trim().split(' ');
    return quota === 'max' ? 'none' : String(Number(quota) / Number(period));
  } catch {
    return 'unknown';
  }
}

function revision(): string {
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain') === '' ? '' : ' and changes'}`;
  } catch {
    return 'unknown';
  }
}
