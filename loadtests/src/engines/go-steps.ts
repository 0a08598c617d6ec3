import { extent } from '../measure/quotient.ts';
import { buildGoProgram } from './go-program.ts';

/** Time of one step of the apiextensions-apiserver libraries for the objects of one case. */
export interface GoStep {
  /** Name of the case, such as `HTTPRoute`. */
  readonly name: string;
  /** Name of the step, such as `decode+validate`. */
  readonly step: string;
  readonly size: number;
  /** Time for each object in µs: the smaller of wall-clock and CPU time. */
  readonly micros: number;
}

interface GoRow {
  readonly case: string;
  readonly size: number;
  readonly usPerObject?: number;
  readonly cpuUsPerObject?: number;
}

/**
 * Runs the Go libraries in one mode of the program and returns the times of their steps. Returns a text with the reason if the steps cannot
 * be measured.
 */
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
