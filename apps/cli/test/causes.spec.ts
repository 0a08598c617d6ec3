import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { DIFFERENCES } from '#cel';
import type { DifferenceName } from '#cel';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { runAssay } from './run-assay.ts';

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
  it('stand in the matrix with the folded rules, their shares of the limit, and the bounds with which all versions accept', async () => {
    const { status, stdout } = await runAssay(['matrix', written('matrix.yaml')]);
    const lines = stdout.split('\n');
    const at = lines.indexOf(why('1.36', '1.37', 'globalMatchesTraverses'));
    expect(lines.slice(at, at + 4)).toEqual([
      lines[at],
      `      ${RULE}`,
      '        0.0003 % of the limit → 2.5 times the limit: v1 properties[spec].properties[after].items.x-kubernetes-validations[0] and 1 more',
      expect.stringMatching(
        /^ {4}bounds with which 1\.30–1\.38 accept it: spec\.after\[\*\]\.wait: maxLength \d+, spec\.before\[\*\]\.wait: maxLength \d+$/,
      ),
    ]);
    expect(stdout).toContain('items.x-kubernetes-validations[0] (and 1 more): matches(self.wait');
    expect(status).toBe(1);
  });

  it('are missing if the chosen versions agree', async () => {
    const { stdout } = await runAssay(['matrix', written('agree.yaml'), '--minors', '1.37,1.38', '-o', 'json']);
    const { minors, definitions } = JSON.parse(stdout) as { minors: string[]; definitions: Record<string, unknown>[] };
    expect(minors).toEqual(['1.37', '1.38']);
    expect(definitions[0]).not.toHaveProperty('causes');
    expect(definitions[0]).not.toHaveProperty('additions');
  });

  it('lead to bounds that all chosen versions accept', async () => {
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
    expect(await verdicts(most + 1)).toContain(false);
  });

  it('stand in the explanation of a refused definition, compared with the last version that accepts it', async () => {
    const { stdout } = await runAssay(['explain', written('explained.yaml'), '-k', '1.38']);
    expect(stdout).toContain(why('1.36', '1.38', 'globalMatchesTraverses'));
    const accepted = await runAssay(['explain', written('accepted.yaml'), '-k', '1.36']);
    expect(accepted.stdout).not.toContain('why ');
  });
});
