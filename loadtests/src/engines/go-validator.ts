import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extent } from '../measure/quotient.ts';
import type { Cell, CelCase } from './cel-cases.ts';
import { buildGoProgram } from './go-program.ts';

/** Sizes that are predicted to need longer than this are left out: the validator's time grows with the square of a list's length. */
const CAP = '15s';

/** `validator`: as Kubernetes ships it, with cost. `raw-notrack`: cel-go alone, without cost. */
export type GoPeer = 'validator' | 'raw-notrack';

/** Times Kubernetes' own rule validator. */
export interface GoValidator {
  measure(test: Pick<CelCase, 'name' | 'data' | 'rule' | 'perItem' | 'nested'>, sizes: readonly number[], peer?: GoPeer): Cell[];
  /** Removes what was built. */
  close(): void;
}

interface GoRow {
  readonly size: number;
  readonly nsPerElement?: number;
  readonly cpuNsPerElement?: number;
  readonly cost?: number;
}

/** Builds the validator in a folder of its own; the reason where there is no Go, or its program is not beside the project. */
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
