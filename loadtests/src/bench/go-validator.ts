import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Cell } from './cell.ts';
import type { CelCase } from './cel-cases.ts';

const ROOT = resolve(import.meta.dirname, import.meta.url.endsWith('.ts') ? '../../..' : '../../../..');
const SOURCES = resolve(ROOT, '../shared/bench-peers/go');
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
  const built = buildGoPeer('rules');
  return typeof built === 'string'
    ? built
    : { measure: (test, sizes) => measure(built.binary, built.folder, test, sizes), close: built.close };
}

/** Runs something with a Go program built for it, and removes the program. */
export function withGoPeer<T>(name: string, run: (binary: string) => T): T | string {
  const built = buildGoPeer(name);
  if (typeof built === 'string') return built;
  try {
    return run(built.binary);
  } finally {
    built.close();
  }
}

function buildGoPeer(name: string): { readonly binary: string; readonly folder: string; readonly close: () => void } | string {
  if (!existsSync(SOURCES)) return 'shared/bench-peers/go is not beside the project';
  if (spawnSync('go', ['version']).status !== 0) return 'there is no Go';
  const folder = mkdtempSync(join(tmpdir(), 'assay-go-'));
  cpSync(SOURCES, folder, { recursive: true });
  const binary = join(folder, `bench-${name}`);
  const built = spawnSync('go', ['build', '-o', binary, `./${name}`], { cwd: folder, encoding: 'utf8' });
  const close = (): void => rmSync(folder, { recursive: true, force: true });
  if (built.status === 0) return { binary, folder, close };
  close();
  return `the Go program does not build: ${built.stderr.slice(0, 200)}`;
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
