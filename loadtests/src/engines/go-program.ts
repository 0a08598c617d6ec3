import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PROJECT, SHARED } from '../places.ts';
import { jsonLines } from './run-cell.ts';

const SOURCES = resolve(SHARED, 'bench-peers/go');
/** Programs of this project; they are built with the module of the shared ones. */
const OWN_SOURCES = resolve(PROJECT, 'loadtests/go');

/** A peer in Go, built. */
export interface GoProgram {
  /** The folder in which it was built. It may hold files for the program. */
  readonly folder: string;
  /** Runs it and returns its output, a JSON value a line. Empty if it takes longer than `capMs`. */
  rows<T>(args: readonly string[], capMs?: number): T[];
  /** Removes what was built. */
  close(): void;
}

const CAP_MS = 600_000;

/** Builds a peer in a folder of its own; the reason where there is no Go, or its program is not beside the project. */
export function buildGoProgram(name: 'rules' | 'crd' | 'rule-times'): GoProgram | string {
  if (!existsSync(SOURCES)) return 'shared/bench-peers/go is not beside the project';
  if (spawnSync('go', ['version']).status !== 0) return 'there is no Go';
  const folder = mkdtempSync(join(tmpdir(), 'assay-go-'));
  for (const sources of [SOURCES, OWN_SOURCES]) cpSync(sources, folder, { recursive: true });
  const binary = join(folder, `bench-${name}`);
  const built = spawnSync('go', ['build', '-o', binary, `./${name}`], { cwd: folder, encoding: 'utf8' });
  const close = (): void => rmSync(folder, { recursive: true, force: true });
  if (built.status !== 0) {
    close();
    return `the Go program does not build: ${built.stderr.slice(0, 200)}`;
  }
  const rows = <T>(args: readonly string[], capMs = CAP_MS): T[] =>
    jsonLines<T>(spawnSync(binary, [...args], { encoding: 'utf8', timeout: capMs, maxBuffer: 2 ** 28 }).stdout);
  return { folder, rows, close };
}
