import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cell } from './cell.ts';
import type { CelCase } from './cel-cases.ts';
import { buildGoProgram } from './go-program.ts';

/** Sizes that are predicted to need longer than this are left out: the validator's time grows with the square of a list's length. */
const CAP = '15s';

/** Times Kubernetes' own rule validator. */
export interface GoValidator {
  measure(test: CelCase, sizes: readonly number[]): Cell[];
  /** Removes what was built. */
  close(): void;
}

/** Builds the validator in a folder of its own; the reason where there is no Go, or its program is not beside the project. */
export function buildGoValidator(): GoValidator | string {
  const program = buildGoProgram('rules');
  if (typeof program === 'string') return program;
  return { measure: (test, sizes) => measure(program.binary, program.folder, test, sizes), close: () => program.close() };
}

function measure(binary: string, folder: string, test: CelCase, sizes: readonly number[]): Cell[] {
  const rule = test.perItem === true ? { itemRule: test.rule } : { rule: test.rule };
  const cases = join(folder, 'one-case.json');
  writeFileSync(cases, JSON.stringify({ cases: [{ name: test.name, data: test.data, nested: test.nested === true, ...rule }] }));
  const args = ['-cases', cases, '-peers', 'validator', '-sizes', sizes.join(','), '-cap', CAP, '-min', '100ms'];
  const { stdout } = spawnSync(binary, args, { encoding: 'utf8', timeout: 300_000 });
  const rows = stdout.split('\n').filter((line) => line !== '');
  return rows.map((line) => {
    const row = JSON.parse(line) as { size: number; nsPerElement?: number; cpuNsPerElement?: number; cost?: number };
    const times = [row.nsPerElement, row.cpuNsPerElement].filter((time) => time !== undefined);
    return { size: row.size, nsPerStep: times.length === 0 ? undefined : Math.min(...times), cost: row.cost };
  });
}
