import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { settingsFileSchema } from '../src/options/settings-schema.ts';
import { UsageError } from '../src/usage.ts';
import { ASSAY } from './assay-process.ts';
import { readCommand } from './read-command.ts';

/** Creates a git repository with a settings file, and a subfolder of the repository. Returns both paths. */
function folderWith(settings: string): { top: string; below: string } {
  const top = mkdtempSync(join(tmpdir(), 'assay-settings-'));
  const below = join(top, 'a/b');
  mkdirSync(below, { recursive: true });
  mkdirSync(join(top, '.git'));
  writeFileSync(join(top, '.assay.yaml'), settings);
  return { top, below };
}

const read = (line: string, folder: string) => readCommand(line.split(' '), folder);
const SETTINGS = `paths: [crds, x.yaml]
kubernetesVersion: v1.32
featureGates: {CRDValidationRatcheting: false}
fieldValidation: Warn
failOn: {evaluate: [warning], what-if: [mended], diff: [breaking]}
strictKinds: true
timeout: 2m
ignore: false
`;

describe('the settings file .assay.yaml', () => {
  it('sets options that the command line does not set, for its folder and the folders below', () => {
    const { top, below } = folderWith(SETTINGS);
    const given = {
      paths: ['../../crds', '../../x.yaml'],
      strictKinds: true,
      failOn: ['warning'],
      timeoutMs: 120_000,
      reading: { ignore: false, offline: false },
      options: { kubernetesVersion: '1.32', fieldValidation: 'Warn', featureGates: { CRDValidationRatcheting: false } },
    };
    expect(read('evaluate', top)).toMatchObject({ ...given, paths: ['crds', 'x.yaml'] });
    expect(read('evaluate', below)).toMatchObject(given);
    expect(read('what-if --from a --to b', below)).toMatchObject({ failOn: ['mended'], paths: given.paths });
    expect(read('diff main a', below)).toMatchObject({ failOn: [{ name: 'breaking' }], paths: ['a'] });
  });

  it('is overridden by options of the command line', () => {
    const { below } = folderWith(SETTINGS);
    expect(read('evaluate y.yaml -k 1.31 --fail-on rejected --field-validation Strict --timeout 1s', below)).toMatchObject({
      paths: ['y.yaml'],
      failOn: ['rejected'],
      timeoutMs: 1000,
      options: { kubernetesVersion: '1.31', fieldValidation: 'Strict' },
    });
    expect(read('evaluate -f y.yaml', below)).toMatchObject({ paths: ['y.yaml'] });
  });

  it('sets gates with bounds, and an empty list of gates', () => {
    const { below } = folderWith('failOn: {bench: [cost > 5, undecided], diff: [], evaluate: []}');
    expect(read('bench a', below)).toMatchObject({ failOn: [{ name: 'cost', bound: 5 }, { name: 'undecided' }] });
    expect([read('diff main a', below), read('evaluate a', below)]).toMatchObject([{ failOn: [] }, { failOn: [] }]);
  });

  it('is not searched above the root of the repository', () => {
    const { below } = folderWith(SETTINGS);
    mkdirSync(join(below, '.git'));
    expect(() => read('evaluate', below)).toThrow(/evaluate needs files/);
  });

  it.each([
    ['strictkinds: true', /Unrecognized key: "strictkinds"/],
    ['failOn: {evaluate: [all]}', /failOn\.evaluate\.0: Invalid option/],
    ['failOn: {bench: [cost>1, speed>1]}', /failOn\.bench\.1: must be among refused, cost-exponent>N, /],
    ['kubernetesVersion: "1.2"', /kubernetesVersion: must be a version of Kubernetes/],
    ['timeout: soon', /timeout: must be a duration/],
    ['paths: [', /\.assay\.yaml: .*line 1/],
    ['- a', /expected object/],
  ])('is rejected with %s', (settings, problem) => {
    const { below } = folderWith(settings);
    expect(() => read('evaluate a', below)).toThrow(UsageError);
    expect(() => read('evaluate a', below)).toThrow(problem);
  });

  it('is written once by assay init, and is valid', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-init-'));
    const run = (...argv: string[]) => spawnSync(process.execPath, [ASSAY, ...argv], { cwd: folder, encoding: 'utf8' });
    writeFileSync(join(folder, 'crd.yaml'), JSON.stringify(customDefinition({ kind: 'Widget', schema: { type: 'object' } })));
    expect(run('init')).toMatchObject({ status: 0, stderr: 'assay: wrote .assay.yaml\n' });
    const written = readFileSync(join(folder, '.assay.yaml'), 'utf8');
    expect(run('init')).toMatchObject({ status: 2 });
    expect(readFileSync(join(folder, '.assay.yaml'), 'utf8')).toBe(written);
    expect(run('evaluate').stdout).toMatch(/1 definition in 1 file/);
    // The commented-out settings must also be valid.
    const all = parse(written.replaceAll(/^# (?=[a-zA-Z]+:( |$)|  evaluate)/gm, '')) as object;
    expect(settingsFileSchema.parse(all)).toMatchObject({
      strictKinds: true,
      failOn: { evaluate: ['rejected', 'not-evaluated', 'warning'] },
    });
  });
});

describe('assay completion', () => {
  const script = (shell: string): string => {
    const { stdout, status } = spawnSync(process.execPath, [ASSAY, 'completion', shell], { encoding: 'utf8' });
    expect(status).toBe(0);
    return stdout;
  };
  /** Returns the completions that bash offers for the last of the given words. */
  function available(...words: string[]): string[] {
    const line = ['assay', ...words].map((word) => `'${word}'`).join(' ');
    const requested = `${script('bash')}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _assay; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return spawnSync('bash', ['-c', requested], { encoding: 'utf8' })
      .stdout.split('\n')
      .filter((word) => word !== '');
  }

  it.each([
    [['ev'], ['evaluate', 'eval']],
    [['evaluate', '--strict'], ['--strict-kinds']],
    [['evaluate', '-o', 's'], ['sarif']],
    [
      ['test', '--output', 'j'],
      ['json', 'junit'],
    ],
    [['completion', 'f'], ['fish']],
    [
      ['diff', '--fail-on', 'o'],
      ['objects', 'oldest-minor>'],
    ],
    [
      ['explain', '-k', '1.3'],
      ['1.30', '1.37'],
    ],
    [
      ['explain', '/etc/host'],
      ['/etc/hosts', '/etc/hostname'],
    ],
  ])('completes %j with %j', (words, expected) => {
    expect(available(...words)).toEqual(expect.arrayContaining(expected.filter((word) => !word.startsWith('/') || existsSync(word))));
  });

  it('exists for zsh and fish', () => {
    expect(script('zsh')).toMatch(/^#compdef assay\n/);
    expect(script('fish')).toMatch(/complete -c assay -n '__fish_seen_subcommand_from evaluate' -s o -l output -x -a 'text json/);
  });

  it('rejects other shells', () => {
    expect(() => readCommand(['completion', 'csh'])).toThrow(/Allowed choices are bash, zsh, fish/);
  });
});
