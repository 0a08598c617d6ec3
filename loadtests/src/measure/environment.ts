import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';

/** Where a result was taken: without it, milliseconds mean nothing. */
export function environment(): Readonly<Record<string, string>> {
  return {
    node: process.version,
    cpu: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    revision: revision(),
    noise: `${noiseProbe().toFixed(1)} ms for a fixed loop`,
  };
}

function revision(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'unknown';
  }
}

/** Time of a loop that is always the same; a figure far from its usual value marks a noisy machine. */
function noiseProbe(): number {
  const started = performance.now();
  let sum = 0;
  for (let i = 0; i < 30_000_000; i++) sum = (sum * 31 + i) | 0;
  return performance.now() - started + (sum === 0 ? 1e-9 : 0);
}
