import { extent } from '../measure/quotient.ts';
import { buildGoProgram } from './go-program.ts';

/** A step of the libraries of apiextensions-apiserver over objects of one case. */
export interface GoStep {
  /** `HTTPRoute` */
  readonly name: string;
  /** `decode+validate` */
  readonly step: string;
  readonly size: number;
  /** µs an object: the smaller of wall clock and CPU time. */
  readonly micros: number;
}

interface GoRow {
  readonly case: string;
  readonly size: number;
  readonly usPerObject?: number;
  readonly cpuUsPerObject?: number;
}

/** Times the libraries in a mode of the program; the reason where that cannot be done. */
export function measureGoSteps(args: readonly string[]): readonly GoStep[] | string {
  const program = buildGoProgram('crd');
  if (typeof program === 'string') return program;
  try {
    const steps = program.rows<GoRow>(args).flatMap((row): GoStep[] => {
      const micros = extent([row.usPerObject, row.cpuUsPerObject])?.least;
      const parts = row.case.split('/');
      return micros === undefined ? [] : [{ name: parts[0] ?? '', step: parts.at(-1) ?? '', size: row.size, micros }];
    });
    return steps.length === 0 ? 'the Go program said nothing' : steps;
  } finally {
    program.close();
  }
}
