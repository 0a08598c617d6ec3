import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StudyReport } from '#benchmark';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { AssayProcess } from './assay-process.ts';
import { runAssay } from '../../../testing/run-assay.ts';
import type { AssayRun } from '../../../testing/run-assay.ts';
import { thorough } from '../../../testing/thorough.ts';

const definition = (bound: number): string =>
  JSON.stringify(
    customDefinition({
      kind: 'Widget',
      schema: {
        type: 'object',
        properties: { a: { type: 'array', maxItems: bound, items: { type: 'integer' } } },
        'x-kubernetes-validations': [{ rule: 'self.a.all(x, self.a.exists_one(y, x == y))' }],
      },
    }),
  );

/** Creates a git repository with one commit of a definition, and returns its folder. */
function repository(bound: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const git = (...argv: string[]): void =>
    void execFileSync('git', ['-C', folder, '-c', 'user.name=x', '-c', 'user.email=x@example.com', ...argv]);
  git('init', '-q');
  writeFileSync(join(folder, 'crd.json'), definition(bound));
  git('add', '-A');
  git('commit', '-qm', 'state');
  return folder;
}

const bench = (...argv: readonly string[]): Promise<AssayRun> => runAssay(['bench', ...argv]);

describe('assay bench', () => {
  const folder = repository(30);
  const file = join(folder, 'crd.json');

  it('prints a table for people, a report for programs, and a page', async () => {
    const text = await bench(file, '--budget', '3s');
    expect(text.status).toBe(0);
    expect(text.stdout).toMatch(/GROWS WITH +COST +(REFUSED FROM SIZE +)?HIGHEST FOUND[^]* 1 +a +n² +[\d,()]+ .*self\.a\.all/);
    const json = await bench(file, '--budget', '20s', '--no-times', '-o', 'json', '--seed', '7');
    const report = JSON.parse(json.stdout) as StudyReport;
    expect(report).toMatchObject({ schema: 'assay.dev/study/v1', seed: 7, kubernetesVersion: '1.37', node: process.version });
    expect(report.rules).toMatchObject([{ growsWith: [{ field: 'a', costExponent: 2, bound: 30 }], worst: { end: 'accepted' } }]);
    const page = await bench(file, ...(thorough ? ['--budget', '3s'] : ['--budget', '20s', '--no-times']), '-o', 'html');
    expect(page.stdout).toMatch(/^<!doctype html>[^]*<svg/);
  });

  it.skipIf(!thorough)('fails if a gate fails, and reports the position of the rule', async () => {
    writeFileSync(file, definition(60));
    const argv = [file, '--budget', '20s', '--no-times', '--base', 'HEAD', '--fail-on', 'cost-exponent>1,cost-worse>10%,budget<100'];
    const { status, stdout } = await bench(...argv);
    expect(status).toBe(1);
    expect(stdout).toContain('cost-exponent>1: the exponent of cost is 2');
    expect(stdout).toMatch(/cost-worse>10%: the cost beside the older revision, in per cent more, is \d+\.\d+ %/);
    expect(stdout).not.toContain('budget<100:');
    const github = await bench(...argv, '-o', 'github');
    expect(github.stdout).toMatch(/^::error file=.*crd\.json,line=1,col=\d+,.*cost-exponent/m);
    const junit = await bench(...argv, '-o', 'junit');
    expect(junit.stdout).toMatch(/<failure [^]*cost-worse/);
    // Equal revisions pass the gate.
    expect((await bench(file, '--budget', '20s', '--no-times', '--base', 'HEAD', '--fail-on', 'cost-worse>300%')).status).toBe(0);
  });

  it.skipIf(!thorough)('uses the times of another program for rules that have the same cost in that program', async () => {
    writeFileSync(file, definition(30));
    const argv = [file, '--budget', '20s', '-o', 'json'];
    const { rules } = JSON.parse((await bench(...argv, '--no-times')).stdout) as StudyReport;
    const cost = rules[0]?.worst?.cost ?? 0;
    const program = (name: string, line: object): string => {
      const path = join(folder, name);
      writeFileSync(path, `#!/bin/sh\ngrep -q '"object":{"' "$2" && echo '${JSON.stringify(line)}'\n`, { mode: 0o755 });
      return path;
    };
    const timesOf = async (path: string) => {
      const report = JSON.parse((await bench(...argv, '--go', path)).stdout) as StudyReport;
      return report.rules[0]?.times.filter(({ engine }) => engine === 'Kubernetes in Go');
    };
    const wanted = { engine: 'Kubernetes in Go', what: 'rule', ms: 2, nsPerUnit: 2e6 / cost };
    expect(await timesOf(program('equal', { medianNs: 2e6, cost }))).toEqual([wanted]);
    expect(await timesOf(program('other', { medianNs: 2e6, cost: cost + 1 }))).toEqual([]);
    const garbled = await bench(file, '--budget', '20s', '--go', program('garbled', { medianNs: 'fast' }));
    expect([garbled.status, garbled.stderr]).toEqual([2, expect.stringContaining('it printed no reading')]);
    const missing = await bench(file, '--budget', '1s', '--go', join(folder, 'missing'));
    expect([missing.status, missing.stderr]).toEqual([2, expect.stringContaining('ENOENT')]);
  });

  it('exits with status 1 for a rejected definition, and reports the position', async () => {
    const refused = join(folder, 'refused.json');
    writeFileSync(refused, definition(30).replace('x == y', 'x == z'));
    const text = await bench(refused, '--budget', '1s');
    expect([text.status, text.stdout]).toEqual([1, expect.stringMatching(/widgets\.example\.com: 1 rule\n +a server refuses it: .*z/)]);
    const github = await bench(refused, '--budget', '1s', '-o', 'github');
    expect([github.status, github.stdout]).toEqual([1, expect.stringMatching(/^::error file=.*refused\.json.*a server refuses it/)]);
  });

  it.each([
    ['--fail-on', 'speed>1', /speed>1: must be among refused, cost-exponent>N, /],
    ['--fail-on', 'budget>1', /budget>1: budget fails if it is below its bound: write budget<1/],
    ['--fail-on', 'cost-worse>10', /cost-worse is a percentage/],
    ['--rule', 'nothing like it', /no rule is called so/],
  ])('rejects %s %s', async (option, value, wanted) => {
    const { status, stderr } = await bench(file, '--budget', '1s', option, value);
    expect(status).toBe(2);
    expect(stderr).toMatch(wanted);
  });

  it('begins the search with the objects among the given files', async () => {
    // No search finds the word `tomato`, because the rule contains it only in two parts.
    const rule = "self.a == 'tom' + 'ato'";
    const schema = { type: 'object', properties: { a: { type: 'string' } }, 'x-kubernetes-validations': [{ rule }] };
    writeFileSync(file, JSON.stringify(customDefinition({ kind: 'Widget', schema })));
    const object = join(folder, 'object.json');
    writeFileSync(object, JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'x' }, a: 'tomato' }));
    const argv = ['--budget', '5s', '--no-times', '-o', 'json'];
    const [without, beside] = [await bench(file, ...argv), await bench(file, object, ...argv)].map(
      ({ stdout }) => (JSON.parse(stdout) as StudyReport).rules[0],
    );
    expect(without?.worst).toBeUndefined();
    expect(beside?.worst).toMatchObject({ end: 'accepted', plan: { fields: { a: { filling: { value: 'tomato' } } } } });
  });

  it('prints its results so far when the user interrupts it', async () => {
    const rules = Array.from({ length: 60 }, (_, i) => ({ rule: `self.a.all(x, x != ${i})` }));
    const schema = { type: 'object', properties: { a: { type: 'array', maxItems: 50, items: { type: 'integer' } } } };
    writeFileSync(file, JSON.stringify(customDefinition({ kind: 'Widget', schema: { ...schema, 'x-kubernetes-validations': rules } })));
    const assay = new AssayProcess(['bench', file, '--budget', '10m', '-o', 'json']);
    // The first results may come before the first rule is finished.
    await assay.says(' grows with a as ');
    assay.signal('SIGINT');
    expect(await assay.ended).toBe(1);
    const report = JSON.parse(assay.stdout) as StudyReport;
    expect(report).toMatchObject({ isPartial: true });
    expect(report.rules.filter(({ growsWith }) => growsWith[0]?.field === 'a').length).toBeGreaterThan(0);
  });
});
