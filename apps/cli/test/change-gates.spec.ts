import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { runAssay } from '../../../testing/run-assay.ts';
import { RECOMMENDED } from '../src/gates/gate-list.ts';
import { changedRepository } from './changed-repository.ts';
import type { Files } from './changed-repository.ts';

type Schema = Readonly<Record<string, unknown>>;

const rules = (...texts: string[]): Schema => ({ 'x-kubernetes-validations': texts.map((rule) => ({ rule })) });
const text = (maxLength?: number, ...texts: string[]): Schema => ({
  type: 'string',
  ...(maxLength !== undefined && { maxLength }),
  ...(texts.length > 0 && rules(...texts)),
});
const list = (items: Schema, maxItems?: number, ...texts: string[]): Schema => ({
  type: 'array',
  items,
  ...(maxItems !== undefined && { maxItems }),
  ...(texts.length > 0 && rules(...texts)),
});
const object = (properties: Schema, ...texts: string[]): Schema => ({
  type: 'object',
  properties,
  ...(texts.length > 0 && rules(...texts)),
});

/** Returns the text of a definition with one version, whose `spec` has a schema. */
const crd = (spec: Schema, kind = 'Widget'): string => JSON.stringify(customDefinition({ kind, schema: object({ spec }) }));

/** Returns the text of a definition with several versions, by their names. The last one is stored. */
function versioned(specs: Readonly<Record<string, Schema>>): string {
  const made = Object.entries(specs).map(([version, spec]) => customDefinition({ kind: 'Widget', version, schema: object({ spec }) }));
  const versions = made.flatMap(({ spec }, i) => spec.versions.map((version) => ({ ...version, storage: i === made.length - 1 })));
  return JSON.stringify({ ...made[0], spec: { ...made[0]?.spec, versions } });
}

const only = (definition: string): Files => ({ 'crd.json': definition });

/** Reports of gates about rules, versions and definitions, in the JSON of `assay diff`. */
const diffReport = z.array(
  z.object({
    failed: z
      .array(
        z.object({
          gate: z.string(),
          state: z.string().optional(),
          version: z.string().optional(),
          path: z.string().optional(),
          minors: z.array(z.string()),
          text: z.string(),
        }),
      )
      .default([]),
  }),
);
type Failed = z.output<typeof diffReport>[number]['failed'][number];

/** Runs `assay diff` with gates on the change of a definition. Returns the exit status, and what the gates report. */
async function diff(before: Files, after: Files, gates: string, ...more: string[]): Promise<{ status: number; failed: readonly Failed[] }> {
  const folder = changedRepository(before, after);
  const { status, stdout, stderr } = await runAssay(['diff', 'HEAD', folder, '--fail-on', gates, '-o', 'json', ...more]);
  if (stdout === '') throw new Error(stderr);
  return { status, failed: diffReport.parse(JSON.parse(stdout)).flatMap(({ failed }) => failed) };
}

const MATCH = "self.matches('^[a-z]+$')";
/** Schemas of a cheap rule, and of a rule that takes more than a quarter of its limit. */
const [CHEAP, DEAR] = [list(text(20, MATCH), 10), list(text(2000, MATCH), 3000)];

describe('gates on the estimates of a change', () => {
  it('estimate-worse fails if a bound is raised or removed, and passes if the bound stays or is lowered', async () => {
    const states = { low: only(crd(object({ a: list(text(20, MATCH), 10) }))), high: only(crd(object({ a: list(text(20, MATCH), 40) }))) };
    const open = only(crd(object({ a: list(text(20, MATCH)) })));
    const raised = await diff(states.low, states.high, 'estimate-worse>200%');
    expect(raised.status).toBe(1);
    // The gate fails twice: for the total of the version, and for the rule.
    expect(raised.failed.map(({ gate, path, state }) => [gate, path === undefined, state])).toEqual([
      ['estimate-worse>200%', true, undefined],
      ['estimate-worse>200%', false, 'same'],
    ]);
    expect(raised.failed[1]?.text).toMatch(/^estimate-worse>200%: the rule takes \d+, 300 % more than \d+ before, .* on 1\.30–1\.37$/);
    expect((await diff(states.low, states.high, 'estimate-worse>300%')).status).toBe(0);
    expect((await diff(states.high, states.low, 'estimate-worse>1%')).status).toBe(0);
    expect((await diff(states.low, open, 'estimate-worse>200%')).status).toBe(1);
  });

  it('new-rule-share fails for a new rule, and names the rule as new', async () => {
    const before = only(crd(object({ a: CHEAP, b: list(text(2000), 3000) })));
    const after = only(crd(object({ a: CHEAP, b: DEAR })));
    const { status, failed } = await diff(before, after, 'new-rule-share>20%');
    expect([status, failed.length]).toEqual([1, 1]);
    expect(failed[0]).toMatchObject({ state: 'new', version: 'v1' });
    expect(failed[0]?.path).toContain('properties[b]');
    expect((await diff(after, before, 'new-rule-share>20%')).status).toBe(0);
    expect((await diff(before, after, 'new-rule-share>50%')).status).toBe(0);
  });

  it('limit-share fails if the share rose, and passes if it stayed the same', async () => {
    const [cheap, dear] = [only(crd(object({ a: CHEAP }))), only(crd(object({ a: DEAR })))];
    const { status, failed } = await diff(cheap, dear, 'limit-share>25%');
    expect([status, failed.filter(({ path }) => path !== undefined).length]).toEqual([1, 1]);
    const beside = only(crd(object({ a: DEAR, b: text(5) })));
    expect(await diff(dear, beside, 'limit-share>25%')).toEqual({ status: 0, failed: [] });
  });

  it('limit-share fails for a total that many small rules raise', async () => {
    const fields = (count: number): Schema =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, list(text(200, MATCH), 1000)]));
    const [few, many] = [only(crd(object(fields(1)))), only(crd(object(fields(80))))];
    const { status, failed } = await diff(few, many, 'limit-share>10%');
    expect(status).toBe(1);
    expect(failed.map(({ version, path }) => [version, path])).toEqual([['v1', undefined]]);
    expect(failed[0]?.text).toContain('the total of v1 takes');
  });

  it('gates compare a moved rule with the rule at its former place', async () => {
    const before = only(crd(object({ a: text(20, MATCH), b: list(object({ c: text(20) }), 100) })));
    const after = only(crd(object({ a: text(20), b: list(object({ c: text(20, MATCH) }), 100) })));
    const { failed } = await diff(before, after, 'estimate-worse>500%,new-rule-share>0%');
    const [rule] = failed.filter(({ path }) => path !== undefined);
    expect(rule).toMatchObject({ gate: 'estimate-worse>500%', state: 'moved' });
    expect(rule?.path).toContain('properties[c]');
    expect(failed.filter(({ gate }) => gate.startsWith('new-rule'))).toEqual([]);
  });

  it('gates compare equal rules at several places with those at the most similar place', async () => {
    const spec = (first: string, second: string): Files =>
      only(crd(object({ [first]: object({ x: text(20, MATCH) }), [second]: object({ x: text(20, MATCH) }) })));
    expect(await diff(spec('a', 'b'), spec('b', 'c'), 'new-rule-share>0%,estimate-worse>0%')).toEqual({ status: 0, failed: [] });
  });

  it('gates ignore changed white space, order and messages', async () => {
    const before = only(crd(object({ a: text(20) }, 'self.a   !=  "b"', "self.a.startsWith('c')")));
    const after = only(
      crd({
        ...object({ a: text(20) }),
        'x-kubernetes-validations': [{ rule: "self.a.startsWith('c')", message: 'begins with c' }, { rule: 'self.a != "b"' }],
      }),
    );
    expect(await diff(before, after, 'new-rule-share>0%,estimate-worse>0%,limit-share>0%')).toEqual({ status: 0, failed: [] });
  });

  it('gates report a rule with a changed text as changed, and compare its estimates', async () => {
    const before = only(crd(object({ a: list(text(20), 100, 'self.all(x, x.size() > 1)') })));
    const after = only(crd(object({ a: list(text(20), 100, 'self.all(x, self.all(y, x.size() > 1 && y.size() > 1))') })));
    const { failed } = await diff(before, after, 'estimate-worse>1000%');
    expect(failed.map(({ state }) => state)).toEqual([undefined, 'changed']);
  });

  it('gates treat the rules of an added version as new, and those of a renamed version as unchanged', async () => {
    const spec = object({ a: DEAR });
    const [one, two] = [only(versioned({ v1: spec })), only(versioned({ v1: spec, v2: spec }))];
    const added = await diff(one, two, 'new-rule-share>25%');
    expect(added.failed.map(({ version, state }) => [version, state])).toEqual([['v2', 'new']]);
    const renamed = await diff(only(versioned({ v1: spec })), only(versioned({ v2: spec })), 'new-rule-share>0%,estimate-worse>0%');
    expect(renamed.failed).toEqual([]);
  });

  it('gates judge an added definition, and accept a removed one', async () => {
    const other = only(crd(object({ a: text(5) }), 'Other'));
    const both = { ...other, 'new.json': crd(object({ a: DEAR })) };
    const { status, failed } = await diff(other, both, 'new-rule-share>25%');
    expect([status, failed.map(({ state }) => state)]).toEqual([1, ['new']]);
    expect((await diff(both, other, RECOMMENDED.diff)).status).toBe(0);
  });

  it('gates compare all definitions of one file, and definitions with equal names file by file', async () => {
    const pair = (a: Schema, b: Schema): Files => ({ 'all.yaml': `${crd(object({ a }))}\n---\n${crd(object({ a: b }), 'Other')}\n` });
    expect((await diff(pair(CHEAP, CHEAP), pair(CHEAP, DEAR), 'limit-share>25%')).status).toBe(1);
    const channels = (stable: Schema, latest: Schema): Files => ({
      'stable/crd.json': crd(object({ a: stable })),
      'latest/crd.json': crd(object({ a: latest })),
    });
    expect(await diff(channels(CHEAP, DEAR), channels(CHEAP, DEAR), 'limit-share>25%')).toEqual({ status: 0, failed: [] });
    expect((await diff(channels(CHEAP, DEAR), channels(DEAR, DEAR), 'limit-share>25%')).status).toBe(1);
  });

  it('oldest-minor fails if the named version refuses the definition, whatever the reason', async () => {
    const before = only(crd(object({ a: text(20, "self != 'x'") })));
    const after = only(crd(object({ a: text(20, 'isCIDR(self)') })));
    const { status, failed } = await diff(before, after, 'oldest-minor>1.30');
    expect(status).toBe(1);
    expect(failed).toMatchObject([
      { minors: ['1.30'], text: expect.stringContaining('1.30 refuses the definition; the oldest') as string },
    ]);
    expect((await diff(before, after, 'oldest-minor>1.31')).status).toBe(0);
    expect((await diff(before, after, RECOMMENDED.diff)).status).toBe(1);
  });

  it('gates consider only the chosen Kubernetes versions', async () => {
    // From 1.37 on, the estimate of this call depends on the length of the text.
    const rule = "matches(self, '^[a-z]+$')";
    const [before, after] = [only(crd(object({ a: text(32, rule) }))), only(crd(object({ a: text(undefined, rule) })))];
    const gate = 'limit-share>0.1%';
    expect((await diff(before, after, gate, '-k', '1.36')).status).toBe(0);
    expect((await diff(before, after, gate, '-k', '1.37')).failed.map(({ minors }) => minors.join(' '))).toContain('1.37');
    expect((await diff(before, after, gate, '--minors', '1.35,1.36')).status).toBe(0);
    expect((await diff(before, after, gate)).status).toBe(1);
  });

  it('undecided fails for a rule without an estimate', async () => {
    const before = only(crd(object({ a: text(20, "self != 'x'") })));
    const after = only(crd(object({ a: text(20, 'self.nothing()') })));
    expect((await diff(before, after, 'undecided')).failed.map(({ text: why }) => why)).toEqual(['undecided: the rule has no estimate']);
  });

  it('failures are listed in text and Markdown', async () => {
    const folder = changedRepository(only(crd(object({ a: CHEAP }))), only(crd(object({ a: DEAR }))));
    const shown = await runAssay(['diff', 'HEAD', folder, '--fail-on', 'limit-share>25%']);
    expect(shown.stdout).toMatch(/\n {2}All rules of a version:\n {4}v1: [\d,]+ → [\d,]+ of 100,000,000 \(.*\) on 1\.30–1\.38/);
    expect(shown.stdout).toMatch(/\n {2}Failed:\n(?: {4}.*\n)* {4}v1 properties\[spec\].*: limit-share>25%: the rule takes/);
    const markdown = await runAssay(['diff', 'HEAD', folder, '--fail-on', 'limit-share>25%', '-o', 'markdown']);
    expect(markdown.stdout).toContain('**Failed gates**');
  });
});

describe('gates in a study', () => {
  const bench = (folder: string, gates: string, ...more: string[]) =>
    runAssay(['bench', folder, '--no-times', '--budget', '2s', '--fail-on', gates, ...more]);

  it('compare estimates with the base, or judge the definition without a base', async () => {
    const folder = changedRepository(only(crd(object({ a: CHEAP }))), only(crd(object({ a: DEAR }))));
    const compared = await bench(folder, 'estimate-worse>500%,limit-share>25%', '--base', 'HEAD', '-o', 'junit');
    expect(compared.status).toBe(1);
    expect(compared.stdout).toMatch(
      /name="widgets.example.com\/v1" [^>]*><failure message="estimate-worse&gt;500%: the total of v1 takes /,
    );
    expect(compared.stdout).toMatch(/name="rule properties[^>]*><failure message="[^"]*limit-share&gt;25%: the rule takes /);
    const alone = await bench(folder, 'limit-share>25%');
    expect(alone.status).toBe(1);
    expect(alone.stdout).toMatch(/\nFailed:\n(?: {2}.*\n)* {2}\S+#1 v1 .*: limit-share>25%: the rule takes/);
    const cheap = changedRepository({}, only(crd(object({ a: CHEAP }))));
    expect((await bench(cheap, 'limit-share>25%')).status).toBe(0);
  });

  it('are an error without --base if they compare with an older revision', async () => {
    const folder = changedRepository({}, only(crd(object({ a: CHEAP }))));
    for (const gate of ['estimate-worse>5%', 'new-rule-share>5%', 'cost-worse>5%']) {
      const { status, stderr } = await bench(folder, gate);
      expect(status).toBe(2);
      expect(stderr).toContain(`${gate} compares with an older revision: add --base`);
    }
  });
});
