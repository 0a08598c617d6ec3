import { buildGoProgram } from './go-program.ts';

/** µs of the Go libraries per object of a kind (`HTTPRoute`), decoding to validation. */
export type GoWritePath = ReadonlyMap<string, number>;

interface GoRow {
  readonly case: string;
  readonly usPerObject?: number;
  readonly cpuUsPerObject?: number;
}

/** Times the write path of apiextensions-apiserver over the same corpora; the reason where that cannot be done. */
export function measureGoWritePath(corpora: string): GoWritePath | string {
  const program = buildGoProgram('crd');
  if (typeof program === 'string') return program;
  try {
    const figures = new Map<string, number>();
    for (const row of program.rows<GoRow>(['-mode', 'write', '-corpora', corpora, '-min', '300ms'])) {
      const [kind, part] = row.case.split('/');
      const times = [row.usPerObject, row.cpuUsPerObject].filter((time) => time !== undefined);
      if (kind !== undefined && part === 'decode+validate' && times.length > 0) figures.set(kind, Math.min(...times));
    }
    return figures;
  } finally {
    program.close();
  }
}
