import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expandBraces } from '../../src/files/glob.ts';
import { IgnorePatterns } from '../../src/files/ignored-files.ts';
import { Wildcard } from '../../src/files/wildcard.ts';
import { BOUND, freshRun, measuredRun, SECRET } from './measured-run.ts';
import { sampled, thorough } from '../../../../testing/thorough.ts';

/** Creates a git repository with the given files, beside a folder with a secret. Returns the folder of the repository. */
function repositoryWith(files: Readonly<Record<string, string>>): string {
  const top = mkdtempSync(join(tmpdir(), 'assay-patterns-'));
  mkdirSync(join(top, 'repository/.git'), { recursive: true });
  mkdirSync(join(top, 'secret'));
  writeFileSync(join(top, 'secret/credentials.yaml'), `password: ${SECRET}\n`);
  writeFileSync(join(top, 'repository/.git/config.yaml'), `token: ${SECRET}\n`);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, 'repository', name)), { recursive: true });
    writeFileSync(join(top, 'repository', name), text);
  }
  symlinkSync('../secret', join(top, 'repository/link'));
  return join(top, 'repository');
}

describe('a pattern of the settings file matches nothing outside the repository', () => {
  const patterns = [
    '{..,x}/secret/*.yaml',
    '{..,x}/secret/credentials.yaml',
    '{..,x}/secret',
    '{../,}secret/*.yaml',
    '[.][.]/secret/*.yaml',
    '.[.]/secret/*',
    '.?/secret/*',
    '.*/secret/*',
    '*/../../secret/*.yaml',
    'a/../{..,y}/secret/credentials.yaml',
    '@(..)/secret/*.yaml',
    '{link,x}/credentials.yaml',
    'link/*',
    'l*/*',
    'l*',
    '**/credentials.yaml',
    '{/proc/self/,x}environ',
    '{/etc,x}/pass*d',
    '.git/*',
    '.g*/*',
    '{.git,x}/config.yaml',
    '.git/config.yaml',
    '.GIT/config.yaml',
  ];
  it.each(sampled(patterns, 6))('such as %s', async (pattern) => {
    const folder = repositoryWith({ 'a/x.txt': '', '.assay.yaml': JSON.stringify({ paths: [pattern] }) });
    for (const command of ['evaluate', 'test']) {
      const { status, text } = await measuredRun(folder, [command, ...BOUND]);
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain('root:');
      expect([command, status], text).toEqual([command, 2]);
    }
  });
});

describe('a pattern with very many matches', () => {
  const deep = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`${'d/'.repeat(i)}a.yaml`, 'a: 1\n']));
  it.each([
    ['{a,b}'.repeat(23), /stands for more than 1000 patterns/],
    ['{1..30000000}.yaml', /stands for more than 1000 patterns/],
    ['{-999999999999999..999999999999999}', /stands for more than 1000 patterns/],
    [`${'{'.repeat(2000)}a,b${'}'.repeat(2000)}`, /no file matches/],
    [`{${'a{b,c}'.repeat(600)}`, /stands for more than 1000 patterns/],
    ['*'.repeat(5000), /longer than 4096 characters/],
    [`${'*a'.repeat(20)}b.yaml`, /no file matches/],
    [`${'**/*/'.repeat(thorough ? 40 : 20)}no.yaml`, /no file matches/],
    [`${'**/d/'.repeat(30)}no.yaml`, /no file matches/],
  ])('is rejected, or ends in time: %s', async (pattern, problem) => {
    const folder = repositoryWith({ ...deep, [`${'a'.repeat(200)}.yaml`]: 'a: 1\n', '.assay.yaml': JSON.stringify({ paths: [pattern] }) });
    const { status, text, ms } = await measuredRun(folder, ['evaluate', ...BOUND]);
    expect(text).toMatch(problem);
    expect(status).toBe(2);
    expect(ms).toBeLessThan(10_000);
  });

  it('ends at --timeout in a .gitignore file', async () => {
    const lines = Array.from({ length: 2500 }, (_, i) => `${'*a'.repeat(100)}b${i}`);
    const names = Array.from({ length: 400 }, (_, i) => [`${'ab'.repeat(110)}${i}.yaml`, 'a: 1\n']);
    const folder = repositoryWith({ ...(Object.fromEntries(names) as Record<string, string>), '.gitignore': lines.join('\n') });
    const { status, text, ms } = await freshRun(folder, ['evaluate', '.', '--timeout', '1s']);
    expect(text).toContain('stopped after 1000 ms');
    expect(status).toBe(1);
    expect(ms).toBeLessThan(10_000);
  });

  it('takes time proportional to the lengths of the pattern and the name', () => {
    const began = performance.now();
    const pattern = new Wildcard(`${'*a'.repeat(2000)}b`);
    expect(pattern.matches('a'.repeat(4000))).toBe(false);
    expect(
      new IgnorePatterns(`${'**/a/'.repeat(500)}b`).decide(
        Array.from({ length: 1000 }, () => 'a'),
        false,
        () => undefined,
      ),
    ).toBe(undefined);
    expect(performance.now() - began).toBeLessThan(5000);
  });
});

describe('a pattern for files', () => {
  const braces = [
    'a{b,c}d',
    '{a,b}{c,d}',
    '{a,{b,c}d}',
    '{a}',
    '{}',
    'a{b',
    'a}b',
    '{a,b',
    '{,x}',
    '{1..5}',
    '{5..1}',
    '{08..11}',
    '{-2..2}',
    '{a..e}',
    '{e..c}',
    '{1..2,5}',
    'x{{a,b}}y',
    '{a..5}',
    'a\\{b,c}',
  ];
  const printed = braces.map((pattern) => `printf '%s\\n' ${pattern}; printf '\\0'`).join('\n');
  const byBash = spawnSync('bash', ['-fc', printed], { encoding: 'utf8' }).stdout.split('\0');
  it.each(braces.map((pattern, i) => [pattern, byBash[i]] as const))('treats braces as bash does: %s', (pattern, expanded = '') => {
    const unescaped = expandBraces(pattern, 1000).map((one) => one.replaceAll('\\', ''));
    expect(unescaped.filter((one) => one !== '')).toEqual(expanded.split('\n').filter((one) => one !== ''));
  });

  it('in .gitignore matches as in git, for random files of patterns', () => {
    const top = mkdtempSync(join(tmpdir(), 'assay-ignore-'));
    spawnSync('git', ['init', '-q', top]);
    const random = randomFrom(7);
    const rounds = Array.from({ length: 250 }, (_, round) => {
      const text = Array.from({ length: 1 + random(4) }, () => randomText(random, PIECES, 5)).join('\n');
      const paths = [...new Set(Array.from({ length: 40 }, () => randomPath(random)))];
      mkdirSync(join(top, `r${round}`));
      writeFileSync(join(top, `r${round}`, '.gitignore'), text);
      return { text, paths };
    });
    const byGit = ignoredByGit(
      top,
      rounds.flatMap(({ paths }, round) => paths.map((path) => `r${round}/${path}`)),
    );
    for (const [round, { text, paths }] of rounds.entries()) {
      const patterns = new IgnorePatterns(text);
      const ours = paths.filter((path) => isIgnored(patterns, path.split('/')));
      const folder = `r${round}/`;
      const gits = byGit.filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length));
      expect(ours, JSON.stringify(text)).toEqual(gits);
    }
    expect(byGit.length).toBeGreaterThan(250);
  });
});

/** Pieces of patterns. No bracket contains a slash: git would take it as part of the bracket. */
const PIECES = [
  'a',
  'b',
  'a',
  '*',
  '/**/',
  '**/',
  '/**',
  '?',
  '/',
  '/',
  '[ab]',
  '[!a]',
  '[a-b]',
  '[]a]',
  '[^b]',
  '\\a',
  '\\*',
  '!',
  '#',
  ' ',
  '\\ ',
  '.',
  '[[:alpha:]]',
  '[a\\]b]',
  'A',
  '[--a]',
  '[a-]',
];
const NAMES = ['a', 'b', 'ab', '.a', 'a b', 'a*', 'A', '-', 'ba', ' ', 'a ', 'c', ']', 'aab'];

/** Returns a generator of numbers below its argument. The same seed gives the same numbers. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff;
    return (state >> 8) % below;
  };
}

const randomText = (random: (below: number) => number, pieces: readonly string[], most: number): string =>
  Array.from({ length: 1 + random(most) }, () => pieces[random(pieces.length)] ?? '').join('');

const randomPath = (random: (below: number) => number): string =>
  `x/${Array.from({ length: 1 + random(3) }, () => NAMES[random(NAMES.length)] ?? '').join('/')}`.slice(random(2) * 2);

/** Returns true if a pattern ignores a path, or a parent of the path. */
const isIgnored = (patterns: IgnorePatterns, path: readonly string[]): boolean =>
  path.some((_, i) => patterns.decide(path.slice(0, i + 1), i + 1 < path.length, () => undefined) === true);

/** Returns the paths below a folder that git ignores. */
function ignoredByGit(folder: string, paths: readonly string[]): string[] {
  const { stdout } = spawnSync('git', ['-C', folder, 'check-ignore', '--no-index', '-z', '--stdin'], {
    input: paths.map((path) => `./${path}\0`).join(''),
    encoding: 'utf8',
  });
  return stdout
    .split('\0')
    .filter((path) => path !== '')
    .map((path) => path.replace(/^\.\//, ''));
}
