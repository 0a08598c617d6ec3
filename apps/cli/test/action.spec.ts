import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { thorough } from '../../../testing/thorough.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const action = z
  .object({
    inputs: z.record(z.string(), z.object({ default: z.string().default('') })),
    runs: z.object({
      steps: z.array(z.object({ name: z.string(), env: z.record(z.string(), z.string()).default({}), run: z.string().default('') })),
    }),
  })
  .parse(parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')));

const definition = (maximum: number): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
spec:
  group: example.com
  names: {kind: Gadget, plural: gadgets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer, maximum: ${maximum}}}}}}}
`;

/**
 * Git checkout with one commit and an uncommitted change, for tests of the GitHub action. `runner` is a folder of files that a GitHub
 * runner provides to steps, and `summary` is one file in it.
 */
const checkout = mkdtempSync(join(tmpdir(), 'assay-action-'));
const runner = mkdtempSync(join(tmpdir(), 'assay-runner-'));
const summary = join(runner, 'summary.md');

beforeAll(() => {
  const git = (...argv: string[]): void =>
    void execFileSync('git', ['-C', checkout, '-c', 'user.name=x', '-c', 'user.email=x@example.com', ...argv]);
  mkdirSync(join(checkout, 'a'));
  writeFileSync(join(checkout, 'a/crd.yaml'), definition(5));
  writeFileSync(join(checkout, 'a/g.yaml'), 'apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: g}\nspec:\n  size: 4\n');
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'base');
  writeFileSync(join(checkout, 'a/crd.yaml'), definition(3));
  writeFileSync(summary, '');
});

/** Runs a step of the GitHub action as a runner does, with the values of `inputs` inserted into the step's environment variables. */
function runStep(
  name: string,
  inputs: Readonly<Record<string, string>>,
  folder = checkout,
): { status: number | null; stdout: string; stderr: string } {
  const step = action.runs.steps.find((one) => one.name === name);
  if (step === undefined) throw new Error(`there is no step ${name}`);
  const valueOf = (expression: string): string =>
    expression
      .replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => inputs[input] ?? action.inputs[input]?.default ?? '')
      .replace('${{ github.repository }}', 'owner/project')
      .replace('${{ github.event.pull_request.number }}', '7');
  const env = Object.fromEntries(Object.entries(step.env).map(([variable, value]) => [variable, valueOf(value)]));
  return spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: `${join(runner, 'bin')}:${process.env['PATH']}`,
      GITHUB_ACTION_PATH: ROOT,
      RUNNER_TEMP: runner,
      GITHUB_STEP_SUMMARY: summary,
      npm_config_offline: 'true',
      ...env,
    },
  });
}

describe.skipIf(!thorough)('the GitHub action', () => {
  it('installs the package of its own revision, reports changes, and annotates rejected documents', () => {
    expect(runStep('Install Assay', {})).toMatchObject({ status: 0 });
    expect(runStep('Tell what changed in definitions', { paths: 'a', base: 'HEAD' })).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(summary, 'utf8')).toContain('| maximum tightened \\(5 → 3\\) | v1 spec.size | yes |');
    const gated = (gates: string) =>
      runStep('Tell what changed in definitions', { paths: 'a', base: 'HEAD', 'change-fail-on': gates }).status;
    expect([gated('refused,limit-share>25%'), gated('breaking'), gated('breakfast')]).toEqual([0, 1, 2]);
    const judged = runStep('Judge', { paths: 'a', 'kubernetes-version': 'v1.33' });
    expect(judged.status).toBe(1);
    expect(judged.stdout).toMatch(/^::error file=a\/g\.yaml,line=5,col=9,title=Gadget "g"::spec\.size: Invalid value: 4: /);
  });

  it('fetches the base that a shallow checkout lacks, and reports if that fails', () => {
    const git = (...argv: string[]): string => execFileSync('git', ['-C', checkout, ...argv], { encoding: 'utf8' });
    const base = git('rev-parse', 'HEAD').trim();
    git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-qam', 'change');
    const shallow = join(mkdtempSync(join(tmpdir(), 'assay-shallow-')), 'clone');
    git('config', 'uploadpack.allowAnySHA1InWant', 'true');
    execFileSync('git', ['clone', '-q', '--depth=1', `file://${checkout}`, shallow]);
    expect(runStep('Tell what changed in definitions', { paths: 'a', base }, shallow)).toMatchObject({ status: 0, stderr: '' });
    // Three runs of the first test wrote such a summary: one without gates, and two with valid gates. The run above wrote the fourth.
    expect(readFileSync(summary, 'utf8').match(/maximum tightened/g)).toHaveLength(4);
    expect(runStep('Tell what changed in definitions', { paths: 'a', base: '0'.repeat(40) }, shallow).status).toBe(0);
    expect(readFileSync(summary, 'utf8')).toContain('Assay compared nothing');
    const unknown = { paths: 'a', base: '0'.repeat(40), 'change-fail-on': 'refused' };
    expect(runStep('Tell what changed in definitions', unknown, shallow).status).toBe(1);
  });

  it('posts one comment, updates the comment later, and warns if that fails', () => {
    const answers = join(runner, 'answers');
    // This program replaces GitHub's `gh`. It records its arguments, and answers requests for the list of comments.
    mkdirSync(join(runner, 'bin'), { recursive: true });
    writeFileSync(
      join(runner, 'bin/gh'),
      `#!/bin/sh\necho "$*" >> ${join(runner, 'calls')}\ncase "$*" in *--paginate*) cat ${answers};; *) [ -s ${answers}.fail ] && exit 1; exit 0;; esac\n`,
    );
    chmodSync(join(runner, 'bin/gh'), 0o755);
    const text = join(runner, 'assay-comment.md');
    const calls = (): string[] => {
      const lines = readFileSync(join(runner, 'calls'), 'utf8').trimEnd().split('\n');
      rmSync(join(runner, 'calls'));
      return lines.slice(1);
    };
    writeFileSync(answers, '');
    expect(runStep('Comment on the pull request', {})).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(readFileSync(text, 'utf8')).toMatch(/^<!-- assay -->\n### 1 CustomResourceDefinition changed\n/);
    expect(calls()).toEqual([`api --silent --method POST repos/owner/project/issues/7/comments -F body=@${text}`]);
    writeFileSync(answers, '41\n42\n');
    expect(runStep('Comment on the pull request', {})).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(calls()).toEqual([`api --silent --method PATCH repos/owner/project/issues/comments/41 -F body=@${text}`]);
    writeFileSync(`${answers}.fail`, 'x');
    const failed = runStep('Comment on the pull request', {});
    expect([failed.status, failed.stdout]).toEqual([0, expect.stringContaining('::warning title=Assay::The comment could not be posted.')]);
  });

  it('does not execute code in its inputs', () => {
    expect(runStep('Install Assay', { package: '$(touch x)' }).status).not.toBe(0);
    for (const { run } of action.runs.steps) expect(run).not.toContain('${{');
    const hostile = runStep('Judge', { paths: 'a $(touch x) `touch x`; touch x', arguments: '--quiet' });
    expect(hostile.status).toBe(2);
    expect(() => readFileSync(join(checkout, 'x'))).toThrow('ENOENT');
  });

  it('installs the tarball that an input names', () => {
    const other = mkdtempSync(join(tmpdir(), 'assay-other-'));
    writeFileSync(join(other, 'package.json'), '{"name": "@assay-dev/assay", "version": "7.7.7"}');
    expect(runStep('Install Assay', { package: other })).toMatchObject({ status: 0 });
    expect(readFileSync(join(runner, 'assay/node_modules/@assay-dev/assay/package.json'), 'utf8')).toContain('7.7.7');
  });
});
