import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PROJECT, SHARED } from '../places.ts';
import { jsonLines } from './run-measurement.ts';

const SOURCES = resolve(SHARED, 'bench-peers/go');
/** Folder with this project's Go programs, which are built with the module of the shared programs. */
const OWN_SOURCES = resolve(PROJECT, 'loadtests/go');

/** Go program that was built for comparison. */
export interface GoProgram {
  /** Folder in which the program was built. Input files for the program can be placed there. */
  readonly folder: string;
  /**
   * Runs the program and returns the values that it prints, one JSON value per line. Returns an empty list if the program takes longer than
   * `capMs`.
   */
  rows<T>(args: readonly string[], capMs?: number): T[];
  /** Removes the folder with the built program. */
  close(): void;
}

const CAP_MS = 600_000;

/** Builds a Go program in a temporary folder. Returns a text with the reason if Go or the program's source is missing. */
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
