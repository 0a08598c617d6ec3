import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extent } from '../measure/quotient.ts';
import type { SizeFigures, CelCase } from './cel-cases.ts';
import { buildGoProgram } from './go-program.ts';

/**
 * Longest predicted time up to which a list length is measured. Lengths with a longer predicted time are skipped, because the validator's
 * time grows with the square of the length.
 */
const CAP = '15s';

/**
 * Go evaluator that is measured. `validator` is the validator as Kubernetes ships it, with cost tracking. `raw-notrack` is cel-go alone,
 * without cost tracking.
 */
export type GoPeer = 'validator' | 'raw-notrack';

/** Measurement of Kubernetes' own rule validator. */
export interface GoValidator {
  measure(test: Pick<CelCase, 'name' | 'data' | 'rule' | 'perItem' | 'nested'>, sizes: readonly number[], peer?: GoPeer): SizeFigures[];
  /** Removes the folder with the built validator. */
  close(): void;
}

interface GoRow {
  readonly size: number;
  readonly nsPerElement?: number;
  readonly cpuNsPerElement?: number;
  readonly cost?: number;
}

/** Builds the Go validator in a temporary folder. Returns a text with the reason if Go or the program's source is missing. */
export function buildGoValidator(): GoValidator | string {
  const program = buildGoProgram('rules');
  if (typeof program === 'string') return program;
  const cases = join(program.folder, 'one-case.json');
  return {
    measure: ({ name, data, rule, perItem, nested = false }, sizes, peer = 'validator') => {
      writeFileSync(cases, JSON.stringify({ cases: [{ name, data, nested, ...(perItem ? { itemRule: rule } : { rule }) }] }));
      const args = ['-cases', cases, '-peers', peer, '-sizes', sizes.join(','), '-cap', CAP, '-min', '100ms'];
      return program.rows<GoRow>(args).map(({ size, nsPerElement, cpuNsPerElement, cost }) => {
        const fastest = extent([nsPerElement, cpuNsPerElement]);
        return { size, ns: fastest === undefined ? [] : [fastest.least], cost };
      });
    },
    close: () => program.close(),
  };
}
