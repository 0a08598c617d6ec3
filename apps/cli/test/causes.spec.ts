import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { DIFFERENCES } from '#cel';
import type { DifferenceName } from '#cel';
import { CRD_DIFFERENCES } from '#crd';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { runAssay } from '../../../testing/run-assay.ts';

const scratch = mkdtempSync(join(tmpdir(), 'assay-causes-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const RULE = "matches(self.wait, '^([0-9]{1,5}(h|m|s|ms)){1,4}$')";
const steps = {
  type: 'array',
  maxItems: 10,
  items: { type: 'object', properties: { wait: { type: 'string' } }, 'x-kubernetes-validations': [{ rule: RULE }] },
};

/** Writes a definition with two lists whose rules are equal, and returns the name of its file. */
function written(name: string): string {
  const file = join(scratch, name);
  const spec = { type: 'object', properties: { before: steps, after: steps } };
  writeFileSync(file, stringify(customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } })));
  return file;
}

const why = (from: string, to: string, name: DifferenceName): string => {
  const { seen } = DIFFERENCES[name];
  return `    why ${to} differs from ${from}: ${seen?.sentence} (${seen?.upstream})`;
};

describe('the causes of different verdicts', () => {
  it("are in the matrix, with their rules, the rules' shares of the limit, and bounds with which all versions accept", async () => {
    const { status, stdout } = await runAssay(['matrix', written('matrix.yaml')]);
    const lines = stdout.split('\n');
    const at = lines.indexOf(why('1.36', '1.37', 'globalMatchesTraverses'));
    expect(lines.slice(at, at + 4)).toEqual([
      lines[at],
      `      ${RULE}`,
      '        0.0003 % of the limit on 1.36 → 2.5 times the limit on 1.37: v1 properties[spec].properties[after].items.x-kubernetes-validations[0] and 1 more',
      expect.stringMatching(
        /^ {4}bounds with which 1\.30–1\.38 accept it: spec\.after\[\*\]\.wait: maxLength \d+, spec\.before\[\*\]\.wait: maxLength \d+$/,
      ),
    ]);
    expect(stdout).toContain('items.x-kubernetes-validations[0] (and 1 more): matches(self.wait');
    expect(status).toBe(1);
  });

  it('are absent if the chosen versions agree', async () => {
    const { stdout } = await runAssay(['matrix', written('agree.yaml'), '--minors', '1.37,1.38', '-o', 'json']);
    const { minors, definitions } = JSON.parse(stdout) as { minors: string[]; definitions: Record<string, unknown>[] };
    expect(minors).toEqual(['1.37', '1.38']);
    expect(definitions[0]).not.toHaveProperty('causes');
    expect(definitions[0]).not.toHaveProperty('additions');
  });

  it('come with bounds that all chosen versions accept', async () => {
    const file = written('bounds.yaml');
    const { stdout } = await runAssay(['matrix', file, '-o', 'json']);
    const { definitions } = JSON.parse(stdout) as { definitions: { additions: { bounds: { suggested: number }[] } }[] };
    const { bounds = [] } = definitions[0]?.additions ?? {};
    expect(bounds).toHaveLength(2);
    const bounded = (by: number): string => {
      const list = { ...steps, items: { ...steps.items, properties: { wait: { type: 'string', maxLength: by } } } };
      const spec = { type: 'object', properties: { before: list, after: list } };
      const other = join(scratch, `bounded-${by}.yaml`);
      writeFileSync(other, stringify(customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } })));
      return other;
    };
    const most = Math.min(...bounds.map(({ suggested }) => suggested));
    const verdicts = async (by: number): Promise<unknown[]> => {
      const read = await runAssay(['matrix', bounded(by), '-o', 'json']);
      return Object.values((JSON.parse(read.stdout) as { definitions: { accepted: object }[] }).definitions[0]?.accepted ?? {});
    };
    expect(await verdicts(most)).not.toContain(false);
    // Twice the bound, the next larger value that people choose, is too large.
    expect(await verdicts(2 * most)).toContain(false);
  });

  it('are also found if a check of the schema changed, and no cost', async () => {
    const file = join(scratch, 'other.yaml');
    const port = { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer', example: 1 }, { type: 'string' }] };
    const spec = { type: 'object', properties: { port } };
    writeFileSync(file, stringify(customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } })));
    const { stdout } = await runAssay(['matrix', file, '--minors', '1.35,1.36']);
    const { sentence, upstream } = CRD_DIFFERENCES.documentationIsStructural.seen;
    expect(stdout).toContain(`why 1.36 differs from 1.35: ${sentence} (${upstream})`);
    expect(stdout).toContain('no bounds make 1.35–1.36 accept it: Kubernetes 1.36: no rule costs too much');
  });

  it('are also found for an object', async () => {
    const file = join(scratch, 'counted.yaml');
    const spec = { type: 'object', properties: { count: { type: 'integer', format: 'int32' } } };
    const definition = customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } });
    const metadata = { name: 'large', namespace: 'shop' };
    const object = { apiVersion: 'example.com/v1', kind: 'Widget', metadata, spec: { count: 2 ** 31 } };
    writeFileSync(file, `${stringify(definition)}---\n${stringify(object)}`);
    const { stdout } = await runAssay(['matrix', file, '--minors', '1.35,1.36']);
    const { sentence, upstream } = CRD_DIFFERENCES.numbersAreTyped.seen;
    expect(stdout).toContain(`why 1.36 differs from 1.35: ${sentence} (${upstream})`);
  });

  it('are also found for different warnings', async () => {
    const file = join(scratch, 'warned.yaml');
    const spec = { type: 'string', format: 'phone' };
    writeFileSync(file, stringify(customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } })));
    const { stdout } = await runAssay(['matrix', file, '--minors', '1.33,1.34']);
    const { sentence, upstream } = CRD_DIFFERENCES.formatsAreWarned.seen;
    expect(stdout).toContain(`why the texts of 1.34 differ from those of 1.33: ${sentence} (${upstream})`);
    expect(stdout).not.toContain('bounds');
  });

  it('are in the explanation of a rejected definition, which names the last version that accepts it', async () => {
    const { stdout } = await runAssay(['explain', written('explained.yaml'), '-k', '1.38']);
    expect(stdout).toContain(why('1.36', '1.38', 'globalMatchesTraverses'));
    const accepted = await runAssay(['explain', written('accepted.yaml'), '-k', '1.36']);
    expect(accepted.stdout).not.toContain('why ');
  });
});

describe('the report about differences between versions', () => {
  const versions = ['--minors', '1.36,1.37'];

  it('is Markdown in which the part of each definition is complete on its own', async () => {
    const chart = join(scratch, 'shares.svg');
    const file = written('report.yaml');
    const { stdout, status } = await runAssay(['matrix', file, ...versions, '-o', 'markdown', '--chart', chart]);
    const lines = stdout.split('\n');
    expect(lines).toContain('# 1 definition on Kubernetes 1.36 and 1.37');
    expect(lines).toContain('| accepted by 1.36, refused by 1.37 | 1 |');
    const { seen } = DIFFERENCES.globalMatchesTraverses;
    expect(lines).toContain(`- 1 definition: ${seen?.sentence} (${seen?.upstream})`);
    const part = lines.slice(lines.indexOf('## `widgets.example.com`'));
    expect(part.find((line) => line.startsWith('**Why 1.37 differs from 1.36:**'))).toContain(seen?.sentence);
    expect(part.find((line) => line.includes('2.5 times the limit'))).toContain('| 30 | 25,165,860 |');
    expect(stdout).toContain('](shares.svg)');
    expect(readFileSync(chart, 'utf8')).toMatch(/^<svg[^]*exceeds the limit on 1\.37 only/);
    expect(status).toBe(1);
  });

  it('is a page without scripts with the same content', async () => {
    const { stdout } = await runAssay(['matrix', written('page.yaml'), ...versions, '-o', 'html']);
    expect(stdout).toMatch(/^<!doctype html>/);
    expect(stdout).not.toContain('<script');
    expect(stdout).toContain('<h1>1 definition on Kubernetes 1.36 and 1.37</h1>');
    expect(stdout).toContain('2 of 2 rules exceed the limit of a rule on 1.37 only');
    expect(stdout).toContain('2.5 times the limit');
  });

  it('evaluates each of several definitions with the same name as a new definition', async () => {
    const [one, other] = [written('one.yaml'), written('other.yaml')];
    const { stdout } = await runAssay(['matrix', one, other, ...versions, '-o', 'markdown']);
    expect(stdout).toContain('| accepted by 1.36, refused by 1.37 | 2 |');
  });

  it('ends with status 2 and names the chart file if that file cannot be written', async () => {
    const { status, stderr } = await runAssay([
      'matrix',
      written('unwritten.yaml'),
      ...versions,
      '--chart',
      join(scratch, 'none/chart.svg'),
    ]);
    expect(status).toBe(2);
    expect(stderr).toContain('none/chart.svg cannot be written');
  });
});
