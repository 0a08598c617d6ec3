import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findHelm, renderChart } from '../../k8s/charts/helm.ts';
import { PACKAGE_NAME } from '../../testing/package-name.ts';
import { ProjectCopy } from '../../testing/project-copy.ts';
import type { Ended } from '../../testing/project-copy.ts';
import { thorough } from '../../testing/thorough.ts';
import { changelogSection } from './changelog-section.ts';
import { releaseNotes } from './release-notes.ts';
import { commitOf, stateFaults } from './state-faults.ts';

let copy: ProjectCopy;
let version = '';
const pathOf = (...names: readonly string[]): string => join(copy.folder, ...names);
const textOf = (...names: readonly string[]): string => readFileSync(pathOf(...names), 'utf8');
const git = (...argv: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...argv], { cwd: copy.folder, encoding: 'utf8' });
const release = (options: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  copy.run(`${copy.scripts.get('release')!} ${options}`, '.', env);

/** Returns the files of a gzipped tar by name. */
async function unpacked(path: string): Promise<ReadonlyMap<string, string>> {
  const entries = await unpackTar(gunzipSync(readFileSync(path)));
  return new Map(entries.flatMap(({ header, data }) => (data === undefined ? [] : [[header.name, Buffer.from(data).toString()]])));
}

beforeAll(() => {
  copy = new ProjectCopy();
  ({ version } = JSON.parse(textOf('package.json')) as { version: string });
  // Like those of a release, the outputs are in folders that git ignores.
  appendFileSync(pathOf('.gitignore'), '/out-*/\n');
  writeFileSync(
    pathOf('CHANGELOG.md'),
    `# Changelog\n\n## ${version} - 2026-01-01\n\nFirst; see [advice](docs/reference/advice.md).\n\n## 0.0.1\n\nOld.\n`,
  );
  git('init', '-q');
  // The copy finds the objects of committed files in the project's repository, so that git does not write them again.
  const where = ['rev-parse', '--path-format=absolute', '--git-path', 'objects'];
  const objects = execFileSync('git', where, { cwd: import.meta.dirname, encoding: 'utf8' });
  writeFileSync(pathOf('.git/objects/info/alternates'), objects);
  git('add', '-A');
  git('commit', '-qm', 'all');
  git('tag', `v${version}`);
});
afterAll(() => copy.remove());

// The spec of the package, apps/library/test/package.spec.ts, already releases the tarball. Only thorough test runs create it a second
// time.
describe('a draft of a release, with the parts that are created quickly', () => {
  let ended: Ended;
  beforeAll(async () => {
    const parts = thorough ? 'tarball,charts,extension' : 'charts,extension';
    ended = await release(`--draft --allow-missing --parts ${parts} --out out-draft --tag v9.9.9`);
  });

  it('exits with 0, and prints the names of its files and of the missing parts', () => {
    expect(ended.status, ended.stderr).toBe(0);
    expect(ended.stdout.trim().split('\n').at(-1)).toBe(pathOf('out-draft'));
    expect(ended.stderr).toContain('SKIPPED: image: left out by --parts');
    expect(readdirSync(pathOf('out-draft')).sort()).toEqual(
      [
        'RELEASE.md',
        'SHA256SUMS',
        `assay-${version}.tgz`,
        ...(thorough ? [`assay-dev-assay-${version}.tgz`] : []),
        `assay-guard-${version}.tgz`,
        `assay-vscode-${version}.vsix`,
      ].sort(),
    );
  });

  it('has the digests of all its files', () => {
    const sums = textOf('out-draft/SHA256SUMS').trim().split('\n');
    expect(sums).toHaveLength(thorough ? 4 : 3);
    const notes = textOf('out-draft/RELEASE.md');
    for (const line of sums) {
      const [digest, name] = line.split('  ') as [string, string];
      expect(
        createHash('sha256')
          .update(readFileSync(pathOf('out-draft', name)))
          .digest('hex'),
      ).toBe(digest);
      expect(notes).toMatch(new RegExp(`\\| \`${name}\` \\| .* \\| \\d+ \\| \`${digest}\` \\|`));
    }
  });

  it('states in its notes that it is a draft, and why', () => {
    const notes = textOf('out-draft/RELEASE.md');
    expect(notes).toContain('**This is a draft. Do not publish it.**');
    expect(notes).toContain(`- The tag v9.9.9 is not v${version}, which package.json names.\n- There is no tag v9.9.9.\n`);
    expect(notes).toContain('/blob/v9.9.9/docs/reference/advice.md)');
    expect(notes).not.toContain('Old.');
  });

  it.runIf(thorough)('has a package that npm would publish publicly, with provenance', async () => {
    const files = await unpacked(pathOf(`out-draft/assay-dev-assay-${version}.tgz`));
    const { repository } = JSON.parse(textOf('package.json')) as { repository: unknown };
    expect(JSON.parse(files.get('package/package.json')!)).toMatchObject({
      name: PACKAGE_NAME,
      version,
      bin: { assay: 'cli/assay.cjs' },
      license: 'Apache-2.0',
      repository,
      engines: { node: '>=20' },
      publishConfig: { access: 'public', provenance: true },
    });
    const dry = await copy.run(`npm publish --dry-run --offline ./out-draft/assay-dev-assay-${version}.tgz`);
    expect(dry.status, dry.stderr).toBe(0);
    expect(dry.stderr).toMatch(/with tag latest and public access \(dry-run\)/);
  });

  it('has the charts that Helm packs', async () => {
    for (const chart of ['assay', 'assay-guard']) {
      const files = await unpacked(pathOf(`out-draft/${chart}-${version}.tgz`));
      const listed = readdirSync(pathOf('k8s/charts', chart), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      expect([...files.keys()].filter((name) => !name.endsWith('/'))).toHaveLength(listed.length);
      expect(files.get(`${chart}/Chart.yaml`)).toContain(`\nversion: ${version}\n`);
    }
  });
});

describe.skipIf(!thorough)('a release', () => {
  it('of a tagged state without changes is not a draft, and has the same bytes when it is made again', async () => {
    for (const out of ['out-a', 'out-b'])
      expect(await release(`--allow-missing --parts charts,extension --out ${out}`)).toMatchObject({ status: 0 });
    expect(textOf('out-a/RELEASE.md')).toContain(`Made from commit \`${commitOf(copy.folder)!}\`, tag \`v${version}\`.`);
    expect(textOf('out-a/RELEASE.md')).not.toContain('draft');
    for (const name of readdirSync(pathOf('out-a')))
      expect(readFileSync(pathOf('out-b', name)).equals(readFileSync(pathOf('out-a', name))), name).toBe(true);
  });

  it('of another state of the repository is rejected', async () => {
    writeFileSync(pathOf('new-file'), '');
    const ended = await release('--out out-c --parts charts');
    expect(ended).toMatchObject({ status: 1, stdout: '' });
    expect(ended.stderr).toContain('The work tree is not clean: 1 changed or new files.');
    expect(existsSync(pathOf('out-c'))).toBe(false);
    git('add', '-A');
    git('commit', '-qm', 'more');
    expect(stateFaults(copy.folder, version, `v${version}`)).toEqual([`The tag v${version} is not the commit that is checked out.`]);
    git('reset', '-q', '--hard', `v${version}`);
    expect(stateFaults(copy.folder, version, `v${version}`)).toEqual([]);
  });

  it('needs equal versions in all files, and a section of the changelog', () => {
    expect(stateFaults(copy.folder, '7.0.0', 'v7.0.0')).toEqual([
      `k8s/charts/assay/Chart.yaml has version ${version}, not 7.0.0.`,
      `k8s/charts/assay-guard/Chart.yaml has version ${version}, not 7.0.0.`,
      `editors/vscode/package.json has version ${version}, not 7.0.0.`,
      'CHANGELOG.md has no section 7.0.0.',
      'There is no tag v7.0.0.',
    ]);
  });

  it('exits with 1 if a part cannot be created, and prints the reason', async () => {
    // This simulates a machine without the tools of Debian.
    const bin = pathOf('out-bin');
    mkdirSync(bin);
    symlinkSync(process.execPath, join(bin, 'node'));
    const bare = `PATH=${bin} ${copy.scripts.get('release')!} --draft --parts image`;
    const ended = await copy.run(`${bare} --out out-d`);
    expect(ended.status).toBe(1);
    expect(ended.stderr).toMatch(/^SKIPPED: image: an image needs Debian, and .*$/m);
    expect(textOf('out-d/RELEASE.md')).toMatch(/## Not in this release\n[^]*^- image: an image needs Debian/m);
    expect(textOf('out-d/RELEASE.md')).toContain('git does not answer here');
    expect(await copy.run(`${bare} --allow-missing --out out-e`)).toMatchObject({ status: 0 });
  });

  it.each(['--parts charts', '--out out-f --parts chart', '--out out-f --parts ,', '--out scripts --draft'])(
    '%s is a usage error',
    async (options) => {
      const ended = await release(options);
      expect(ended).toMatchObject({ status: 2, stdout: '' });
      expect(ended.stderr).toContain('usage: npm run release');
    },
  );

  it.skipIf(!thorough)('contains a working executable and a working web site', async () => {
    const ended = await release('--allow-missing --parts executable,site --out out-large');
    expect(ended.status, ended.stderr).toBe(0);
    const program = pathOf(`out-large/assay-${version}-${process.platform}-${process.arch}`);
    expect(execFileSync(program, ['--version'], { encoding: 'utf8' })).toBe(`${version}\n`);
    const site = await unpacked(pathOf(`out-large/assay-site-${version}.tar.gz`));
    expect(site.get(`assay-site-${version}/index.html`)).toContain('<html');
  });

  const helm = thorough ? findHelm() : 'the short form of the suite builds nothing';
  if (typeof helm === 'string') console.warn(`SKIPPED: packed charts were not rendered: ${helm}`);
  it.skipIf(typeof helm === 'string')('contains charts that Helm renders like their folders', () => {
    if (typeof helm === 'string') return;
    for (const chart of ['assay', 'assay-guard']) {
      const render = (from: string): string => renderChart(helm.path, from, chart, ['--set', 'image.tag=latest']);
      expect(render(pathOf(`out-draft/${chart}-${version}.tgz`))).toBe(render(pathOf('k8s/charts', chart)));
    }
  });
});

describe('the notes of a release', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\nNew.\n\n## [1.1.0] - 2026-02-02\n\n### Added\n\n- One.\n\n## 1.0.0\n\nOld.\n';

  it.each([
    ['1.1.0', false, '### Added\n\n- One.'],
    ['1.0.0', false, 'Old.'],
    ['1.0', false, undefined],
    ['1.2.0', false, undefined],
    ['1.2.0', true, 'New.'],
    ['1.1.0', true, '### Added\n\n- One.'],
  ])('are taken from the section of the changelog, if there is one, for %s (draft: %s)', (wanted, isDraft, text) => {
    expect(changelogSection(changelog, wanted, isDraft)).toBe(text);
  });

  it('list the missing parts, and explain how to compare the files', () => {
    const home = 'https://example.com/assay';
    const facts = { version: '1.1.0', tag: 'v1.1.0', home, commit: 'abc', changes: 'One.', files: [], draft: undefined };
    const notes = releaseNotes({ ...facts, missing: [{ name: 'image', why: 'no Debian' }] });
    expect(notes).toContain('## Not in this release\n\n- image: no Debian\n');
    expect(notes).toContain('sha256sum --check --ignore-missing SHA256SUMS');
    expect(releaseNotes({ ...facts, missing: [] })).not.toContain('Not in this release');
  });
});
