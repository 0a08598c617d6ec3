import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { AssayProcess } from './assay-process.ts';
import { runAssay } from '../../../testing/run-assay.ts';

const cache = mkdtempSync(join(tmpdir(), 'assay-history-cache-'));

/** Returns a definition whose list `spec.names` has at most `maxItems` elements, with the given rules for each element. */
const definition = (maxItems: number, ...rules: readonly string[]): string =>
  JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gadgets.example.com' },
    spec: {
      group: 'example.com',
      names: { kind: 'Gadget', plural: 'gadgets' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema(maxItems, rules) } }],
    },
  });
const schema = (maxItems: number, rules: readonly string[]): object => {
  const validations = rules.length > 0 && { 'x-kubernetes-validations': rules.map((rule) => ({ rule })) };
  const names = { type: 'array', maxItems, items: { type: 'string', maxLength: 100, ...validations } };
  return { type: 'object', properties: { spec: { type: 'object', properties: { names } } } };
};

/** Git repository whose commits are an hour apart, so that each has a known day. */
class Repository {
  readonly folder = mkdtempSync(join(tmpdir(), 'assay-history-'));
  #hours = Date.UTC(2025, 0, 1, 12) / 3_600_000;

  constructor() {
    this.git('init', '-q', '-b', 'main');
  }

  git(...argv: readonly string[]): string {
    const date = `${(this.#hours * 3600).toFixed()} +0000`;
    const identity = ['-c', 'user.name=x', '-c', 'user.email=x@example.com', '-c', 'protocol.file.allow=always'];
    return execFileSync('git', ['-C', this.folder, ...identity, ...argv], {
      env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
      encoding: 'utf8',
    });
  }

  /** Writes files, removes those whose text is undefined, and commits one day later. Returns the first nine digits of the commit. */
  commit(subject: string, files: Readonly<Record<string, string | undefined>>): string {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, name)), { recursive: true });
      if (text === undefined) rmSync(join(this.folder, name));
      else writeFileSync(join(this.folder, name), text);
    }
    this.#hours += 24;
    this.git('add', '-A');
    this.git('commit', '-q', '--allow-empty', '-m', subject);
    return this.git('rev-parse', 'HEAD').slice(0, 9);
  }
}

interface JsonHistory {
  readonly definitions: readonly {
    readonly name: string;
    readonly file: string;
    readonly findings: readonly string[];
    readonly states: readonly {
      readonly commit?: { readonly hash: string; readonly date: string; readonly subject: string };
      readonly path: string;
      readonly gone?: true;
      readonly found?: { readonly cost: number };
      readonly total?: { readonly version: string; readonly cost: string; readonly share: number };
      readonly accepted?: Readonly<Record<string, boolean>>;
    }[];
    readonly rules: readonly {
      readonly rule: string;
      readonly addedIn: number;
      readonly goneIn?: number;
      readonly costs: readonly { readonly state: number; readonly cost: string; readonly share: number }[];
    }[];
  }[];
  readonly skipped: readonly { readonly commit?: { readonly hash: string }; readonly problem: string }[];
  readonly notes: readonly string[];
}

const history = async (...argv: readonly string[]): ReturnType<typeof runAssay> =>
  runAssay(['history', ...argv], { env: { XDG_CACHE_HOME: cache } });
async function jsonHistory(...argv: readonly string[]): Promise<JsonHistory> {
  const { stdout, stderr } = await history('-o', 'json', ...argv);
  expect(stderr).toBe('');
  const parsed: JsonHistory = JSON.parse(stdout);
  return parsed;
}

const CHEAP = "self != ''";
const DEAR = "self.matches('^a+$')";

/** Returns the number of verdicts in a cache. Throws an error if there is no cache yet. */
function cachedVerdicts(folder: string): number {
  const database = new DatabaseSync(join(folder, 'assay/history.sqlite'), { readOnly: true });
  try {
    return database.prepare('SELECT key FROM verdict').all().length;
  } finally {
    database.close();
  }
}

/** Commits: no rule, a cheap rule, more elements, a second rule, a rename, an unreadable file, a rule gone, other white space. */
function gadgets(): { readonly repository: Repository; readonly file: string; readonly commits: Readonly<Record<string, string>> } {
  const repository = new Repository();
  const commits = {
    bare: repository.commit('no rule', { 'crd.yaml': definition(10) }),
    cheap: repository.commit('a cheap rule', { 'crd.yaml': definition(10, CHEAP) }),
    more: repository.commit('more elements', { 'crd.yaml': definition(100, CHEAP) }),
    other: repository.commit('something else', { 'README.md': 'text' }),
    dear: repository.commit('an expensive rule', { 'crd.yaml': definition(100, DEAR, CHEAP) }),
    renamed: repository.commit('a folder', { 'crd.yaml': undefined, 'crds/gadgets.yaml': definition(100, DEAR, CHEAP) }),
    broken: repository.commit('a mistake', { 'crds/gadgets.yaml': 'a: [b\n' }),
    gone: repository.commit('no cheap rule', { 'crds/gadgets.yaml': definition(100, DEAR) }),
  };
  return { repository, file: join(repository.folder, 'crds/gadgets.yaml'), commits };
}

describe('assay history', () => {
  it('follows each rule over all commits and renames, and skips a commit whose file cannot be read', async () => {
    const { file, commits } = gadgets();
    const { definitions, skipped, notes } = await jsonHistory(file);
    const [gadget] = definitions;
    expect(definitions).toHaveLength(1);
    expect(notes).toEqual([]);
    expect(gadget?.states.map(({ commit, path }) => [commit?.hash.slice(0, 9), commit?.date, path])).toEqual([
      [commits['bare'], '2025-01-02', 'crd.yaml'],
      [commits['cheap'], '2025-01-03', 'crd.yaml'],
      [commits['more'], '2025-01-04', 'crd.yaml'],
      [commits['dear'], '2025-01-06', 'crd.yaml'],
      [commits['gone'], '2025-01-09', 'crds/gadgets.yaml'],
    ]);
    expect(skipped.map(({ commit }) => commit?.hash.slice(0, 9))).toEqual([commits['broken']]);
    const [dear, cheap] = [DEAR, CHEAP].map((text) => gadget?.rules.find(({ rule }) => rule === text));
    expect(dear).toMatchObject({ addedIn: 3 });
    expect(dear).not.toHaveProperty('goneIn');
    expect(cheap).toMatchObject({ addedIn: 1, goneIn: 4 });
    const [first, second] = cheap?.costs.map(({ cost }) => Number(cost)) ?? [];
    expect(cheap?.costs.map(({ state }) => state)).toEqual([1, 2]);
    expect(second).toBe(10 * (first ?? 0));
    const { stdout } = await runAssay(['explain', '-o', 'json', file]);
    const explained: { readonly definitions: readonly { readonly rules: readonly { readonly totalCost: string }[] }[] } =
      JSON.parse(stdout);
    expect(dear?.costs.at(-1)?.cost).toBe(explained.definitions[0]?.rules[0]?.totalCost);
  });

  it('prints first the share of the limits, the commits that raised it, and the first refusal', async () => {
    const { file, commits } = gadgets();
    const { status, stdout } = await history(file);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      new RegExp(
        String.raw`^gadgets\.example\.com in crds/gadgets\.yaml: 5 states, Kubernetes 1\.37\n  All rules of v1 together take < 0\.1 % of the limit since ${commits['gone']} \(2025-01-09\)\.\n`,
      ),
    );
    expect(stdout).toMatch(
      new RegExp(
        String.raw`The rule v1 spec\.names\[\*\] x-kubernetes-validations\[0\] \(< 0\.1 % now\) was added with ${commits['dear']} \(2025-01-06\)\.`,
      ),
    );
    expect(stdout).toContain(`Skipped ${commits['broken']}: crds/gadgets.yaml: `);
  });

  it('reads only the commits of a range or since a day, and shows the state before them', async () => {
    const { repository, commits } = gadgets();
    const inRange = await jsonHistory(`${commits['cheap']}..${commits['dear']}`, repository.folder);
    expect(inRange.definitions[0]?.states.map(({ commit }) => commit?.hash.slice(0, 9))).toEqual([
      undefined,
      commits['more'],
      commits['dear'],
    ]);
    const fromDay = await jsonHistory('--since', '2025-01-09', repository.folder);
    expect(fromDay.definitions[0]?.states.map(({ commit }) => commit?.hash.slice(0, 9))).toEqual([commits['gone']]);
    expect(fromDay.skipped).toMatchObject([{ path: 'crds/gadgets.yaml' }]);
    const none = await jsonHistory(`${commits['more']}..${commits['other']}`, repository.folder);
    expect(none.definitions[0]?.states).toMatchObject([{ path: 'crd.yaml', accepted: { '1.37': true } }]);
    expect(none.definitions[0]?.states[0]).not.toHaveProperty('commit');
    expect(none.notes).toEqual([`${repository.folder}: no commit of the range changes it, so this is the state before the range`]);
    const badge = await history('-o', 'badge', `${commits['more']}..${commits['other']}`, repository.folder);
    expect(JSON.parse(badge.stdout)).toMatchObject({ message: expect.stringContaining('installs on 1.37 · ') as string });
    const page = await history('-o', 'html', `${commits['more']}..${commits['other']}`, repository.folder);
    expect([page.status, page.stdout]).toEqual([0, expect.stringContaining('<title>History of gadgets.example.com</title>')]);
    expect(page.stdout).not.toContain('<svg');
  });

  it('exits with status 2 if the newest content cannot be read', async () => {
    const { repository, file } = gadgets();
    repository.commit('broken again', { 'crds/gadgets.yaml': 'a: [b\n' });
    const { status, stderr } = await history('-o', 'badge', file);
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/^assay: crds\/gadgets\.yaml: its newest content cannot be read, so an older one is shown: yaml: /),
    ]);
  });

  it('counts a merge as one change, and reports removed definitions', async () => {
    const repository = new Repository();
    repository.commit('first', { 'crd.yaml': definition(10, CHEAP) });
    repository.git('checkout', '-q', '-b', 'side');
    repository.commit('side one', { 'crd.yaml': definition(20, CHEAP) });
    repository.commit('side two', { 'crd.yaml': definition(30, CHEAP) });
    repository.git('checkout', '-q', 'main');
    repository.git('merge', '-q', '--no-ff', '-m', 'the merge', 'side');
    repository.commit('gone', { 'crd.yaml': undefined });
    const { definitions } = await jsonHistory(repository.folder);
    expect(definitions[0]?.states.map(({ commit, gone }) => [commit?.subject, gone])).toEqual([
      ['first', undefined],
      ['the merge', undefined],
      ['gone', true],
    ]);
    expect(definitions[0]?.findings).toEqual([expect.stringMatching(/^The definition is gone since [0-9a-f]{9} \(2025-01-05\)\.$/)]);
  });

  it('follows a definition into another file, and shows the most expensive definition first', async () => {
    const repository = new Repository();
    const other = definition(1000, DEAR, 'self.size() < 50').replaceAll('gadget', 'widget').replaceAll('Gadget', 'Widget');
    const text = (lines: number): string => `# ${'a line\n# '.repeat(lines)}\n`;
    repository.commit('alone', { 'gadgets.yaml': definition(10, CHEAP), 'widgets.yaml': other });
    // Git sees no renamed file, because most lines are new.
    const moved = { 'gadgets.yaml': undefined, 'all/crds.yaml': `${text(200)}${definition(20, CHEAP)}` };
    repository.commit('together', moved);
    const { definitions } = await jsonHistory(repository.folder);
    expect(definitions.map(({ name, file, states }) => [name, file, states.map(({ path, gone }) => [path, gone])])).toEqual([
      ['widgets.example.com', 'widgets.yaml', [['widgets.yaml', undefined]]],
      [
        'gadgets.example.com',
        'all/crds.yaml',
        [
          ['gadgets.yaml', undefined],
          ['all/crds.yaml', undefined],
        ],
      ],
    ]);
    expect(definitions[1]?.rules).toMatchObject([{ addedIn: 0, costs: [{ state: 0 }, { state: 1 }] }]);
  });

  it('prints the history so far if the user types Ctrl-C', async () => {
    const repository = new Repository();
    const large = (bound: number): string => definition(bound, ...Array.from({ length: 1500 }, (_, i) => `self.size() < ${i + 200}`));
    for (let i = 1; i <= 40; i++) repository.commit(`bound ${i}`, { 'crd.yaml': large(i) });
    const folder = mkdtempSync(join(tmpdir(), 'assay-history-cache-'));
    const assay = new AssayProcess(['history', repository.folder, '-o', 'json'], { XDG_CACHE_HOME: folder });
    await expect.poll(() => cachedVerdicts(folder), { interval: 20 }).toBeGreaterThan(0);
    assay.signal('SIGINT');
    expect(await assay.ended).toBe(1);
    const { definitions, notes }: JsonHistory = JSON.parse(assay.stdout);
    const [, judged = ''] = /^Interrupted: (\d+) of 40 contents were judged/.exec(notes.at(-1) ?? '') ?? [];
    expect(Number(judged)).toBeGreaterThan(0);
    expect(Number(judged)).toBeLessThan(40);
    expect(definitions[0]?.states.at(-1)?.commit?.subject).toBe('bound 40');
    expect(definitions[0]?.states).toHaveLength(Number(judged));
  });

  it('reports which Kubernetes versions refuse a definition, and since which commit', async () => {
    const repository = new Repository();
    repository.commit('small', { 'crd.yaml': definition(10, CHEAP) });
    const isNew = repository.commit('new function', { 'crd.yaml': definition(10, 'ip.isCanonical(self)') });
    const large = repository.commit('large', { 'crd.yaml': definition(1_000_000, DEAR, 'ip.isCanonical(self)') });
    const { definitions } = await jsonHistory('--minors', '1.30-1.30,1.37', repository.folder);
    const [gadget] = definitions;
    expect(gadget?.states.map(({ accepted }) => accepted)).toEqual([
      { '1.30': true, '1.37': true },
      { '1.30': false, '1.37': true },
      { '1.30': false, '1.37': false },
    ]);
    const refusals = gadget?.findings.filter((text) => text.startsWith('Kubernetes '));
    expect(refusals).toEqual([
      expect.stringContaining(`Kubernetes 1.30 refuses it since ${isNew} (2025-01-03): `),
      expect.stringContaining(`Kubernetes 1.37 refuses it since ${large} (2025-01-04): `),
    ]);
  });

  it('reuses the verdicts of the previous run, and ignores a damaged cache', async () => {
    const { file } = gadgets();
    const first = await history(file);
    const path = join(cache, 'assay/history.sqlite');
    const db = new DatabaseSync(path);
    const keys = () => db.prepare('SELECT COUNT(*) AS n FROM verdict').get()?.['n'];
    const count = keys();
    expect(await history(file)).toEqual(first);
    expect(keys()).toBe(count);
    db.exec("UPDATE verdict SET content = x'00ff'");
    expect(await history(file)).toEqual(first);
    db.close();
    writeFileSync(path, 'no database');
    const damaged = await history(file);
    expect(damaged.stdout).toBe(`${first.stdout}\nNote: No cache is used: file is not a database.\n`);
    rmSync(path);
  });

  it('searches the most expensive write again for each state with other rules or estimates', async () => {
    const { file } = gadgets();
    const { definitions } = await jsonHistory('--exact', '--budget', '3s', file);
    const [gadget] = definitions;
    const costs = gadget?.states.map(({ found }) => found?.cost);
    expect(costs?.[0]).toBeUndefined();
    const [, cheap = 0, more = 0, dear = 0, last = 0] = costs ?? [];
    expect(more).toBe(10 * cheap);
    expect(dear).toBeGreaterThan(more);
    expect(last).toBe(dear);
    expect(gadget?.findings).toContainEqual(
      expect.stringMatching(
        /^The most expensive write that was found costs [\d,]+ units in the rule v1 spec\.names\[\*\] x-kubernetes-validations\[0\], < 0\.1 % of the limit of a write, since /,
      ),
    );
  });

  it('rejects a path that no commit has, and a revision that is no range', async () => {
    const { repository } = gadgets();
    for (const path of ['nope', '..HEAD', 'HEAD'])
      expect(await history(join(repository.folder, path))).toMatchObject({
        status: 2,
        stdout: '',
        stderr: expect.stringContaining('no commit has such a file') as string,
      });
  });

  it('reports that a shallow clone lacks commits', async () => {
    const { repository, commits } = gadgets();
    const clone = join(mkdtempSync(join(tmpdir(), 'assay-shallow-')), 'clone');
    repository.git('clone', '-q', '--depth', '1', `file://${repository.folder}`, clone);
    const { definitions, notes } = await jsonHistory(clone);
    expect(definitions[0]?.states.map(({ commit }) => commit?.hash.slice(0, 9))).toEqual([commits['gone']]);
    expect(notes).toEqual(['This clone is shallow, so older commits are missing. Run `git fetch --unshallow` to get them.']);
  });

  it('writes CSV that a spreadsheet does not execute, and a page without scripts', async () => {
    const { repository } = gadgets();
    repository.commit('=cmd <script>alert(1)</script>', { 'crds/gadgets.yaml': definition(100, "'=1' != self") });
    const csv = await history('-o', 'csv', repository.folder);
    const rows = csv.stdout.trimEnd().split('\n');
    expect(rows[0]).toBe('definition,file,commit,date,minor,kind,version,path,rule,cost,limit,share');
    expect(rows.filter((row) => row.includes(',total,'))).toHaveLength(5);
    expect(csv.stdout).toContain(
      `,properties[spec].properties[names].items.x-kubernetes-validations[0],'=1' != self,`.replace("'=1", "'=1"),
    );
    const page = await history('-o', 'html', repository.folder);
    expect(page.stdout).toContain('<title>History of gadgets.example.com</title>');
    expect(page.stdout).not.toContain('<script>');
    expect(page.stdout.match(/<svg/g)).toHaveLength(2);
  });

  it.each([
    [['nowhere..HEAD', '.'], 'nowhere: the repository of . has no such revision'],
    [['--upload-pack=x..HEAD', '.'], "unknown option '--upload-pack"],
    [['--since', 'yesterday', '.'], 'must be a day, such as 2025-03-02'],
    [['main..HEAD'], 'history needs files'],
    [['-'], 'not standard input'],
    [['--minors', '1.37-1.30', '.'], 'the older version comes first'],
    [['--minors', '1.30-1.99', '.'], 'must be a version of Kubernetes'],
    [[tmpdir()], 'is in no repository'],
  ])('rejects %j', async (argv, message) => {
    const { status, stderr } = await history(...argv);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
