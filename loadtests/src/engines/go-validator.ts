import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extent } from '../measure/quotient.ts';
import type { CelCase } from './cel-cases.ts';
import { buildGoProgram } from './go-program.ts';
import type { GoProgram } from './go-program.ts';

/** Sizes that are predicted to need longer than this are left out: the validator's time grows with the square of a list's length. */
const CAP = '15s';

/** `validator`: as Kubernetes ships it, with cost. `raw-notrack`: cel-go alone, without cost. */
export type GoPeer = 'validator' | 'raw-notrack';

/** What the validator needed for a list. */
export interface GoCell {
  readonly size: number;
  /** The smaller of wall clock and CPU time, for an element or an inner step. Undefined where it was left out. */
  readonly nsPerStep: number | undefined;
  readonly cost: number | undefined;
}

/** Times Kubernetes' own rule validator. */
export interface GoValidator {
  measure(test: Pick<CelCase, 'name' | 'data' | 'rule' | 'perItem' | 'nested'>, sizes: readonly number[], peer?: GoPeer): GoCell[];
  /** Removes what was built. */
  close(): void;
}

/** Builds the validator in a folder of its own; the reason where there is no Go, or its program is not beside the project. */
export function buildGoValidator(): GoValidator | string {
  const program = buildGoProgram('rules');
  if (typeof program === 'string') return program;
  return { measure: (test, sizes, peer = 'validator') => measure(program, test, sizes, peer), close: () => program.close() };
}

function measure(program: GoProgram, test: Parameters<GoValidator['measure']>[0], sizes: readonly number[], peer: GoPeer): GoCell[] {
  const rule = test.perItem === true ? { itemRule: test.rule } : { rule: test.rule };
  const cases = join(program.folder, 'one-case.json');
  writeFileSync(cases, JSON.stringify({ cases: [{ name: test.name, data: test.data, nested: test.nested === true, ...rule }] }));
  const args = ['-cases', cases, '-peers', peer, '-sizes', sizes.join(','), '-cap', CAP, '-min', '100ms'];
  return program
    .rows<GoRow>(args)
    .map(({ size, nsPerElement, cpuNsPerElement, cost }) => ({ size, nsPerStep: extent([nsPerElement, cpuNsPerElement])?.least, cost }));
}

interface GoRow {
  readonly size: number;
  readonly nsPerElement?: number;
  readonly cpuNsPerElement?: number;
  readonly cost?: number;
}
