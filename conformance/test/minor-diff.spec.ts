import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askOracle } from '../src/ask-oracle.ts';
import type { AskedCase, Oracle } from '../src/ask-oracle.ts';
import { diffFile, statusOf } from '../src/minor-diff/diff-file.ts';
import type { FileDiff } from '../src/minor-diff/diff-file.ts';
import { flippedLines } from '../src/minor-diff/flipped-definition.ts';
import { linesOfFile } from '../src/read-lines.ts';
import type { RecordedFile } from '../src/score-files.ts';
import { classLines, countsLine } from '../src/score.ts';

const FAKE: Oracle = { path: process.execPath, arguments: [join(import.meta.dirname, 'fake-oracle.mjs')] };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-minor-diff-'));
  mkdirSync(join(folder, 'crds'));
  for (const name of ['shops', 'carts']) writeFileSync(join(folder, 'crds', `${name}.yaml`), `metadata: {name: ${name}.example.com}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Recording {
  readonly case: Readonly<Record<string, unknown>>;
  readonly verdict: Readonly<Record<string, unknown>>;
  readonly unstable?: readonly string[];
}
const recorded = (lines: readonly Recording[]): RecordedFile => {
  const path = join(folder, 'some-1.37.jsonl');
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return { name: 'some-1.37', path, task: { kind: 'golden', minor: '1.37', crdFolder: folder } };
};
/** Returns the recording of a definition that the old minor accepts. `fake` says what the fake oracle does. */
const definition = (id: string, fake?: unknown): Recording => ({
  case: { id, kind: 'crd', crdFile: `crds/${id}.yaml`, fake },
  verdict: { id, accepted: true, schemaCost: { v1: '7' }, rules: [{ path: 'a', maxCost: '7' }] },
});
const REFUSED = {
  accepted: false,
  code: 422,
  reason: 'Invalid',
  message: 'it is invalid',
  errors: ['b: Forbidden: too dear', `${'properties[spec].'.repeat(10)}a: Required value`].map((text) => ({ text })),
};
const same = (id: string): Recording =>
  definition(id, { verdict: { ...definition(id).verdict, crd: { spec: 1 }, rules: [{ path: 'a', maxCost: '7', rule: 'true' }] } });
const diff = (lines: readonly Recording[], write?: string): Promise<FileDiff> => diffFile(recorded(lines), FAKE, { examples: 1, write });
const compared = async (lines: readonly Recording[], write?: string) => {
  const result = await diff(lines, write);
  if (result.kind === 'failed') throw new Error(result.why);
  return result;
};

describe("the comparison of a Kubernetes version's verdicts with the previous version's verdicts", () => {
  it('finds no difference if the oracle (the Go code of Kubernetes) answers as recorded', async () => {
    const result = await compared([same('shops'), same('carts')]);
    expect(countsLine(result.score)).toBe('some-1.37                2 cases, verdict 100.00 %, exact 100.00 %');
    expect([classLines(result.score, ['1.37', '1.38']), result.flipped, statusOf([result])]).toEqual([[], [], 0]);
  });

  it('lists the definitions that only one version accepts', async () => {
    const accepted = { ...definition('carts'), verdict: { id: 'carts', ...REFUSED } };
    const result = await compared([definition('shops', { verdict: REFUSED }), accepted]);
    expect(flippedLines(result.flipped, '1.37', '1.38')).toEqual([
      'Definitions that 1.37 accepts and 1.38 refuses (1):',
      '  shops.example.com (crds/shops.yaml)',
      '    b: Forbidden: too dear (and 1 more)',
      'Definitions that 1.38 accepts and 1.37 refuses (1):',
      '  carts.example.com (crds/carts.yaml)',
      '    b: Forbidden: too dear (and 1 more)',
    ]);
    expect(statusOf([result])).toBe(1);
  });

  it('shortens a long field path in an error', () => {
    const [, , line] = flippedLines(
      [{ file: 'a.yaml', name: 'a', now: 'refused', errors: [`${'properties[spec].'.repeat(10)}a: Forbidden: ${'b'.repeat(300)}`] }],
      '1.37',
      '1.38',
    );
    expect(line).toMatch(/^ {4}….{90}: Forbidden: b{147}…$/);
  });

  it('counts the kinds of differences, with examples, and ignores fields with random values', async () => {
    const rules = [{ path: 'b', maxCost: '1' }];
    const dearer = (id: string): Recording => ({
      ...definition(id, { verdict: { accepted: true, schemaCost: { v1: '8' }, rules } }),
      verdict: { ...definition(id).verdict, rules: [...rules, { path: 'a', maxCost: '7' }] },
    });
    const random = { ...definition('shops', { verdict: { accepted: true } }), unstable: ['rules', 'schemaCost'] };
    const result = await compared([dearer('shops'), dearer('carts'), random, definition('carts', { verdict: { oracleError: 'panic' } })]);
    expect(classLines(result.score, ['1.37', '1.38'])).toEqual([
      '    2 × crd: rule costs + schema cost',
      '        shops',
      '          1.37 rule costs: {"maxCost":"7","path":"a"}\n          schema cost: {"v1":"7"}',
      '          1.38 rule costs: \n          schema cost: {"v1":"8"}',
      '    1 × crd: panic',
      '        carts',
      '          1.37 missing: a verdict',
      '          1.38 missing: panic',
    ]);
    expect([result.score.cases, result.score.exact, result.flipped]).toEqual([4, 1, []]);
  });

  it('writes the new verdicts in the form of the recorded ones', async () => {
    const path = join(folder, 'new', 'some-1.38.jsonl.gz');
    const random = { ...definition('carts', { verdict: REFUSED }), unstable: ['message'] };
    await compared([same('shops'), random], path);
    const written: unknown[] = [];
    for await (const line of linesOfFile(path)) written.push(JSON.parse(line));
    expect(written).toEqual([
      { case: same('shops').case, verdict: same('shops').verdict },
      { case: random.case, verdict: { id: 'carts', ...REFUSED }, unstable: ['message'] },
    ]);
  });

  it.each([
    ['ends', { end: 7 }, 'the oracle ended (code 7) before it answered the case "carts"; answers before: 1'],
    [
      'answers garbage',
      { write: 'goroutine 1 [running]' },
      'the answer of the oracle to the case "carts" is not a JSON object: goroutine 1 [running]',
    ],
    ['answers another case', { verdict: { id: 'shops' } }, 'the answer of the oracle to the case "carts" has another id: {"id":"shops"}'],
    [
      'answers twice',
      { verdict: {}, write: '{"id":"carts"}' },
      'the answer of the oracle to the case "last" has another id: {"id":"carts"}',
    ],
  ])('fails without writing a file if the oracle %s in the middle of the cases', async (_, fake, why) => {
    const path = join(folder, 'failed', 'some-1.38.jsonl.gz');
    const result = await diff([same('shops'), definition('carts', fake), definition('last', { verdict: { id: 'last' } })], path);
    expect([result, statusOf([result])]).toEqual([{ kind: 'failed', why }, 3]);
    expect([path, `${path}.partial`].map((file) => existsSync(file))).toEqual([false, false]);
  });
});

describe('an oracle process', () => {
  const read: string[] = [];
  async function* cases(count: number, fake?: unknown): AsyncGenerator<AskedCase> {
    read.length = 0;
    for (let i = 0; i < count; i++) {
      const id = `case ${i}`;
      read.push(id);
      yield { id, text: JSON.stringify({ id, fake, long: 'x'.repeat(100_000) }) };
    }
  }
  const ask = async (oracle: Oracle, asked: AsyncIterable<AskedCase>): Promise<string[]> => {
    const answers: string[] = [];
    for await (const answer of askOracle(oracle, asked))
      answers.push(answer.kind === 'failure' ? answer.why : String(answer.verdict['id']));
    return answers;
  };

  it('gives one answer for each case, in order, for any number of cases', async () => {
    expect(await ask(FAKE, cases(200))).toEqual(Array.from({ length: 200 }, (_, i) => `case ${i}`));
  });

  it('gets no more cases than it reads, and leads to an error if it does not answer', async () => {
    const patient = { ...FAKE, patienceMs: 2000 };
    expect(await ask(patient, cases(200, { hang: true }))).toEqual(['the oracle did not answer the case "case 0" within 2 s']);
    expect(read.length).toBeLessThan(50);
  });

  it('leads to an error if it does not start', async () => {
    expect(await ask({ path: folder, arguments: [] }, cases(3))).toEqual([
      expect.stringMatching(/^the oracle ended \(spawn .* EACCES\) before it /),
    ]);
  });

  it('leads to an error if it gives more answers than there are cases', async () => {
    expect(await ask(FAKE, cases(1, { verdict: {}, write: '{}' }))).toEqual(['case 0', 'the oracle wrote a line that answers no case: {}']);
  });

  it('may answer without an id if it cannot read a case', async () => {
    expect(await ask(FAKE, cases(1, { verdict: { id: '', oracleError: 'not readable' } }))).toEqual(['']);
  });

  it('is ended if reading the cases fails', async () => {
    async function* broken(): AsyncGenerator<AskedCase> {
      yield { id: 'a', text: '{"id":"a"}' };
      throw new Error('the disk is gone');
    }
    await expect(ask(FAKE, broken())).rejects.toThrow('the disk is gone');
  });
});
