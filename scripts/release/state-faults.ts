import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { changelogSection } from './changelog-section.ts';

/** The charts of the project: names of folders in k8s/charts. */
export const CHARTS = ['assay', 'assay-guard'] as const;

/** Returns the problems that prevent a release of the project's current state under a tag. */
export function stateFaults(root: string, version: string, tag: string): string[] {
  return [...versionFaults(root, version, tag), ...commitFaults(root, tag)];
}

/** Returns the hash of the commit that is checked out; undefined if git cannot determine it. */
export function commitOf(root: string): string | undefined {
  return git(root, 'rev-parse', 'HEAD');
}

function versionFaults(root: string, version: string, tag: string): string[] {
  const text = (file: string): string => readFileSync(join(root, file), 'utf8');
  const versions: readonly [string, unknown][] = [
    ...CHARTS.map((chart): [string, unknown] => {
      const file = `k8s/charts/${chart}/Chart.yaml`;
      return [file, (parse(text(file)) as { version?: unknown }).version];
    }),
    ['editors/vscode/package.json', (JSON.parse(text('editors/vscode/package.json')) as { version?: unknown }).version],
  ];
  return [
    ...(tag === `v${version}` ? [] : [`The tag ${tag} is not v${version}, which package.json names.`]),
    ...versions.filter(([, other]) => other !== version).map(([file, other]) => `${file} has version ${String(other)}, not ${version}.`),
    ...(changelogSection(text('CHANGELOG.md'), version) === undefined ? [`CHANGELOG.md has no section ${version}.`] : []),
  ];
}

function commitFaults(root: string, tag: string): string[] {
  const changed = git(root, 'status', '--porcelain');
  if (changed === undefined) return ['git does not answer here, so the commit is unknown.'];
  const tagged = git(root, 'rev-parse', '--verify', '--quiet', `refs/tags/${tag}^{commit}`);
  return [
    ...(changed === '' ? [] : [`The work tree is not clean: ${changed.split('\n').length} changed or new files.`]),
    ...(tagged === undefined ? [`There is no tag ${tag}.`] : []),
    ...(tagged === undefined || tagged === commitOf(root) ? [] : [`The tag ${tag} is not the commit that is checked out.`]),
  ];
}

function git(root: string, ...argv: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', argv, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return status === 0 ? stdout.trim() : undefined;
}
