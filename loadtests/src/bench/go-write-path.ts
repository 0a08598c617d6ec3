import { spawnSync } from 'node:child_process';
import { withGoPeer } from './go-validator.ts';

/** µs of the Go libraries per object of a kind (`HTTPRoute`), decoding to validation. */
export type GoWritePath = ReadonlyMap<string, number>;

/** Times the write path of apiextensions-apiserver over the same corpora; the reason where that cannot be done. */
export function measureGoWritePath(corpora: string): GoWritePath | string {
  return withGoPeer('crd', (binary) => {
    const { stdout } = spawnSync(binary, ['-mode', 'write', '-corpora', corpora, '-min', '300ms'], { encoding: 'utf8', timeout: 300_000 });
    const figures = new Map<string, number>();
    for (const line of stdout.split('\n').filter((text) => text !== '')) {
      const row = JSON.parse(line) as { case: string; usPerObject?: number; cpuUsPerObject?: number };
      const [kind, part] = row.case.split('/');
      const times = [row.usPerObject, row.cpuUsPerObject].filter((time) => time !== undefined);
      if (kind !== undefined && part === 'decode+validate' && times.length > 0) figures.set(kind, Math.min(...times));
    }
    return figures;
  });
}
