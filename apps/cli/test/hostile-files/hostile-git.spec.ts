import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { measuredRun } from './measured-run.ts';
import { sampled } from '../../../../testing/thorough.ts';

const DEFINITION = JSON.stringify(customDefinition({ kind: 'Widget', schema: { type: 'object' } }));

/**
 * Settings of git whose value is a command or a program. Source: git-config(1) of git 2.50. The test replaces `CMD` by a command
 * that leaves a marker, and `DIR` by a folder with hooks that leave markers.
 */
const PROGRAMS: readonly (readonly [key: string, value: string])[] = [
  ['core.alternateRefsCommand', 'CMD'],
  ['core.askPass', 'CMD'],
  ['core.editor', 'CMD'],
  ['core.fsmonitor', 'CMD'],
  ['core.gitProxy', 'CMD'],
  ['core.hooksPath', 'DIR'],
  ['core.pager', 'CMD'],
  ['core.sshCommand', 'CMD'],
  ['pager.cat-file', 'CMD'],
  ['pager.ls-tree', 'CMD'],
  ['pager.rev-parse', 'CMD'],
  ['alias.cat-file', '!CMD'],
  ['alias.ls-tree', '!CMD'],
  ['alias.rev-parse', '!CMD'],
  ['browser.x.cmd', 'CMD'],
  ['credential.helper', '!CMD'],
  ['credential.https://example.com.helper', '!CMD'],
  ['diff.external', 'CMD'],
  ['diff.x.command', 'CMD'],
  ['diff.x.textconv', 'CMD'],
  ['difftool.x.cmd', 'CMD'],
  ['filter.x.clean', 'CMD'],
  ['filter.x.process', 'CMD'],
  ['filter.x.smudge', 'CMD'],
  ['gpg.program', 'CMD'],
  ['gpg.ssh.defaultKeyCommand', 'CMD'],
  ['gpg.ssh.program', 'CMD'],
  ['gpg.x509.program', 'CMD'],
  ['guitool.x.cmd', 'CMD'],
  ['imap.tunnel', 'CMD'],
  ['interactive.diffFilter', 'CMD'],
  ['man.x.cmd', 'CMD'],
  ['merge.x.driver', 'CMD'],
  ['mergetool.x.cmd', 'CMD'],
  ['remote.origin.receivepack', 'CMD'],
  ['remote.origin.uploadpack', 'CMD'],
  ['sequence.editor', 'CMD'],
  ['submodule.x.update', '!CMD'],
  ['tar.x.command', 'CMD'],
  ['trailer.x.cmd', 'CMD'],
  ['trailer.x.command', 'CMD'],
  ['uploadpack.packObjectsHook', 'CMD'],
];

/** Hooks of git. Source: githooks(5) of git 2.50. */
const HOOKS =
  'applypatch-msg commit-msg fsmonitor-watchman p4-changelist post-applypatch post-checkout post-commit post-index-change post-merge post-receive post-rewrite post-update pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase pre-receive prepare-commit-msg proc-receive push-to-checkout reference-transaction sendemail-validate update';

/** Returns a setting of git as text of a configuration file. `git config` writes the same, in a process for each setting. */
function configLine(key: string, value: string): string {
  const [section, ...rest] = key.split('.');
  const name = rest.pop();
  return `[${section}${rest.length === 0 ? '' : ` "${rest.join('.')}"`}]\n\t${name} = "${value}"\n`;
}

/**
 * Creates a git repository whose configuration names a program for each setting. Its newest commit lacks one blob, as in a partial clone,
 * and a remote of which a program gives the blob. Returns the folder, and a function that lists the markers that programs left.
 */
function hostileRepository(remote: string): { folder: string; markers: () => string[]; git: (...argv: string[]) => string } {
  const top = mkdtempSync(join(tmpdir(), 'assay-git-'));
  const [folder, hooks, marks] = [join(top, 'repository'), join(top, 'hooks'), join(top, 'markers')];
  for (const path of [folder, hooks, marks]) mkdirSync(path);
  const identity = ['-c', 'user.name=x', '-c', 'user.email=x@example.com'];
  const git = (...argv: string[]): string => execFileSync('git', ['-C', folder, ...identity, ...argv], { encoding: 'utf8' }).trim();
  git('init', '-q');
  writeFileSync(join(folder, 'crd.yaml'), DEFINITION);
  writeFileSync(join(folder, '.gitattributes'), '* diff=x filter=x merge=x\n');
  git('add', '-A');
  git('commit', '-qm', 'whole');
  writeFileSync(join(folder, 'lacking.yaml'), 'apiVersion: v1\nkind: ConfigMap\n');
  git('add', '-A');
  git('commit', '-qm', 'lacking');
  const blob = git('rev-parse', 'HEAD:lacking.yaml');
  rmSync(join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true });
  for (const hook of HOOKS.split(' ')) {
    for (const path of [join(hooks, hook), join(folder, '.git/hooks', hook)]) {
      mkdirSync(join(folder, '.git/hooks'), { recursive: true });
      writeFileSync(path, `#!/bin/sh\ntouch '${marks}/hook-${hook}'\n`);
      chmodSync(path, 0o755);
    }
  }
  const mark = (name: string): string => `touch ${marks}/${name.replaceAll(/[^\w.-]/g, '_')}`;
  const settings = [
    ...PROGRAMS.map(([key, value]) => [key, value.replace('CMD', mark(key)).replace('DIR', hooks)] as const),
    ['remote.origin.url', remote.replace('CMD', mark('remote'))] as const,
    ['remote.origin.promisor', 'true'] as const,
    ['protocol.allow', 'always'] as const,
    ...['ext', 'ssh', 'git', 'file', 'http', 'https'].map((name) => [`protocol.${name}.allow`, 'always'] as const),
    ['core.repositoryFormatVersion', '1'] as const,
    ['extensions.partialClone', 'origin'] as const,
  ];
  appendFileSync(join(folder, '.git/config'), settings.map(([key, value]) => configLine(key, value)).join(''));
  // Git must read the file as the test intends.
  for (const [key, value] of [settings[0]!, ['credential.https://example.com.helper', '!'], settings.at(-1)!] as const)
    expect(git('config', '--get', key)).toContain(value);
  for (const marker of readdirSync(marks)) rmSync(join(marks, marker));
  return { folder, markers: () => readdirSync(marks), git };
}

/** Remotes that start programs when git fetches the lacking blob. */
const REMOTES = [
  'ext::CMD',
  'ssh://example.com/x',
  'git://example.com/x',
  '/tmp/assay-no-such-folder',
  'file:///tmp/assay-no-such-folder',
  'user@example.com:x',
];

describe('programs that the configuration of a hostile repository names', () => {
  it('are started by git itself', () => {
    const { folder, markers } = hostileRepository('ext::CMD');
    for (const argv of [['status'], ['cat-file', 'blob', 'HEAD:lacking.yaml'], ['checkout', '-q', '-f', 'HEAD~1']])
      spawnSync('git', ['-C', folder, ...argv], { stdio: 'ignore', timeout: 20_000 });
    expect(markers()).toEqual(expect.arrayContaining(['core.fsmonitor', 'remote']));
  });

  it.each(sampled(REMOTES, 3))('are not started by an assay command, with the remote %s', async (remote) => {
    const { folder, markers } = hostileRepository(remote);
    const commands = [
      { argv: ['diff', 'HEAD', '.'], status: 2 },
      { argv: ['diff', 'HEAD~1', '--head', 'HEAD', '.'], status: 2 },
      { argv: ['diff', 'HEAD~1', 'crd.yaml'], status: 0 },
      { argv: ['evaluate', '--base', 'HEAD', 'lacking.yaml'], status: 2 },
      { argv: ['evaluate', '--base', 'HEAD~1', 'crd.yaml'], status: 0 },
      { argv: ['bench', '--base', 'HEAD', '.', '--budget', '1s'], status: 2 },
      { argv: ['history', '.'], status: 2 },
      { argv: ['history', 'HEAD~1..HEAD', 'crd.yaml'], status: 0 },
    ];
    for (const { argv, status } of commands) {
      const run = await measuredRun(folder, argv);
      expect([argv, run.status], run.text).toEqual([argv, status]);
    }
    expect(markers()).toEqual([]);
  });
});
