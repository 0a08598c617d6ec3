import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Maximum number of bytes of the list of files. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Returns the paths, relative to `root`, of the files that exist and that git tracks or would track. `paths` are pathspecs of git to which
 * the list is limited. Throws if git fails.
 */
export function projectFiles(root: string, paths: readonly string[] = []): readonly string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...paths];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: MAX_BYTES });
  return listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
}
