import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Texts of files by their paths. */
export type Files = Readonly<Record<string, string>>;

/** Creates a git repository whose only commit has the files `before`, and whose working tree has the files `after`. Returns its folder. */
export function changedRepository(before: Files, after: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-change-'));
  const git = (...argv: string[]): void =>
    void execFileSync('git', ['-C', folder, '-c', 'user.name=x', '-c', 'user.email=x@example.com', ...argv]);
  const lay = (files: Files): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  git('init', '-q');
  lay(before);
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'before');
  for (const name of readdirSync(folder)) if (name !== '.git') rmSync(join(folder, name), { recursive: true });
  lay(after);
  return folder;
}
