import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Another revision of the project, compiled in a separate folder. */
export interface BuiltRevision {
  readonly folder: string;
  /** Hash of the revision's commit. */
  readonly commit: string;
  readonly remove: () => void;
}

/**
 * Unpacks a git revision into a temporary folder, generates the source files that are not in Git, and compiles all. Uses the packages of `project` if the revision has the same lock file as
 * `project`. Installs packages in the folder if the lock files differ.
 *
 * Throws the error of git, npm or the compiler if one of them fails. In that case the folder is removed.
 */
export function buildRevision(project: string, revision: string): BuiltRevision {
  const commit = run(project, 'git', ['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`]).trim();
  const folder = mkdtempSync(join(tmpdir(), 'assay-revision-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const archive = join(folder, 'revision.tar');
    run(project, 'git', ['archive', '--format=tar', '-o', archive, commit]);
    run(folder, 'tar', ['-xf', archive]);
    const lock = (of: string): string => readFileSync(join(of, 'package-lock.json'), 'utf8');
    if (lock(folder) === lock(project)) symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
    else run(folder, 'npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
    generateSources(folder);
    run(folder, process.execPath, ['node_modules/ts7/bin/tsc', '-p', 'tsconfig.build.json']);
    return { folder, commit, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Generates the source files of a revision that Git does not store. An older revision has all of its source files in Git. */
function generateSources(folder: string): void {
  const generator = join(folder, 'scripts/generate/generated-files.mjs');
  if (!existsSync(generator)) return;
  const program = `(await import(${JSON.stringify(pathToFileURL(generator).href)})).generateFiles();`;
  run(folder, process.execPath, ['--input-type=module', '--eval', program]);
}

function run(cwd: string, command: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args[0] ?? ''} failed: ${stderr || stdout}`);
  return stdout;
}
