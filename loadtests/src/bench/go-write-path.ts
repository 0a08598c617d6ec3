import { spawnSync } from 'node:child_process';
import { buildGoProgram } from './go-program.ts';

/** µs of the Go libraries per object of a kind (`HTTPRoute`), decoding to validation. */
export type GoWritePath = ReadonlyMap<string, number>;

/** Times the write path of apiextensions-apiserver over the same corpora; the reason where that cannot be done. */
export function measureGoWritePath(corpora: string): GoWritePath | string {
  const program = buildGoProgram('crd');
  if (typeof program === 'string') return program;
  try {
    const { stdout } = spawnSync(program.binary, ['-mode', 'write', '-corpora', corpora, '-min', '300ms'], {
      encoding: 'utf8',
      timeout: 300_000,
    });
    const figures = new Map<string, number>();
    for (const line of stdout.split('\n').filter((text) => text !== '')) {
      const row = JSON.parse(line) as { case: string; usPerObject?: number; cpuUsPerObject?: number };
      const [kind, part] = row.case.split('/');
      const times = [row.usPerObject, row.cpuUsPerObject].filter((time) => time !== undefined);
      if (kind !== undefined && part === 'decode+validate' && times.length > 0) figures.set(kind, Math.min(...times));
    }
    return figures;
  } finally {
    program.close();
  }
}
