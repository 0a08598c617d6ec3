import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LATEST_MINOR, MINOR_RANGE, minorRange, MINORS, minorWords, previewOf } from '#kube';
import { answerJson, FakeApiServer } from '../../../libs/cluster/testing/fake-api-server.ts';
import { startProgram } from '../../../loadtests/src/load/start-program.ts';
import type { StartedProgram } from '../../../loadtests/src/load/start-program.ts';
import { testedArguments } from '../../../testing/app-arguments.ts';
import { diffComment } from '../src/commands/diff/report/comment.ts';
import { diffText } from '../src/commands/diff/report/text.ts';
import { runAssay } from '../../../testing/run-assay.ts';

const RELEASES = resolve(import.meta.dirname, '../../../docs/explanation/examples/releases.yaml');
const PREVIEWS = MINORS.filter((minor) => previewOf(minor) !== undefined);
const NEWEST = MINORS.at(-1) ?? LATEST_MINOR;
const scratch = mkdtempSync(join(tmpdir(), 'assay-previews-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Checks that a text calls each preview by its pre-release. Without previews, the text must name none. */
function expectPreviews(text: string): void {
  // Help and reports break lines between words, so white space is normalized.
  const said = text.replaceAll(/\s+/g, ' ');
  for (const minor of PREVIEWS) expect(said).toContain(`preview of ${previewOf(minor)}`);
  if (PREVIEWS.length === 0) expect(said).not.toContain('preview of');
}

async function assay(...argv: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runAssay(argv);
  expect(stderr.replace(/^assay: the page is in .*\n$/, '')).toBe('');
  return stdout;
}

describe('a preview version is marked as a preview', () => {
  it.each([
    ['the help', ['--help']],
    ['the help of commands', ['evaluate', '--help']],
    ['the help of editors', ['lsp', '--help']],
    ['the version in detail', ['--version', '-v']],
    ['the matrix', ['matrix', RELEASES]],
    ['the matrix in SARIF', ['matrix', RELEASES, '-o', 'sarif']],
    ['the matrix in JUnit', ['matrix', RELEASES, '-o', 'junit']],
    ['a study', ['bench', RELEASES, '-k', NEWEST, '--budget', '1s', '--no-times']],
  ])('in %s', async (_, argv) => {
    expectPreviews(await assay(...argv));
  });

  it('in the JSON of assay matrix', async () => {
    const { minors, previews } = JSON.parse(await assay('matrix', RELEASES, '-o', 'json')) as Record<string, unknown>;
    expect(minors).toEqual(MINORS);
    const expected = Object.fromEntries(PREVIEWS.map((minor) => [minor, previewOf(minor)]));
    expect(previews).toEqual(PREVIEWS.length === 0 ? undefined : expected);
  });

  it('in the page of assay explain', async () => {
    const page = join(scratch, 'page.html');
    await assay('explain', RELEASES, '-k', NEWEST, '--html', page);
    expect(readFileSync(page, 'utf8')).toContain(`As Kubernetes ${minorWords(NEWEST)} would`);
  });

  it('in assay diff, as text and as Markdown', () => {
    const outcome = {
      definitions: [{ name: 'x', state: 'changed', changes: [], prices: [], minors: { refused: [NEWEST], mended: [] }, objects: [] }],
      estimates: [],
      sources: [],
    } as unknown as Parameters<typeof diffText>[0];
    for (const text of [diffText(outcome), diffComment(outcome)]) expect(text).toContain(`by ${minorWords(NEWEST)}`);
  });

  it('in the message about an unknown version', async () => {
    const { status, stderr } = await runAssay(['evaluate', RELEASES, '-k', '1.2']);
    expect([status, stderr]).toEqual([2, expect.stringContaining(`from ${minorRange('to')}, such as ${LATEST_MINOR}`)]);
  });

  it('but a released version is not, and assay --version prints only a number', async () => {
    expect(minorWords(LATEST_MINOR)).toBe(LATEST_MINOR);
    const page = join(scratch, 'released.html');
    await assay('explain', RELEASES, '--html', page);
    expect(readFileSync(page, 'utf8')).toContain(`As Kubernetes ${LATEST_MINOR} would`);
    expect(await assay('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await assay('--version', '--verbose')).split('\n').slice(1)).toEqual([`Kubernetes ${MINOR_RANGE}`, '']);
  });
});

it('a suite may use every version', async () => {
  writeFileSync(join(scratch, 'releases.yaml'), readFileSync(RELEASES, 'utf8').split(/^---$/m)[0] ?? '');
  for (const minor of MINORS) {
    const cases = 'tests: {onCreate: [{name: good, initial: "{apiVersion: example.com/v1, kind: Release, spec: {title: a}}"}]}';
    writeFileSync(
      join(scratch, `x.${minor}.suite.yaml`),
      `name: x\ncrdName: releases.example.com\nkubernetesVersion: "${minor}"\n${cases}\n`,
    );
  }
  const { status, stdout } = await runAssay(['test', scratch]);
  expect([status, stdout]).toEqual([0, expect.stringContaining(`Passed: ${MINORS.length}, Failed: 0`)]);
});

describe('a service marks previews', () => {
  let service: StartedProgram;
  let url: string;
  beforeAll(async () => {
    service = await startProgram({
      name: 'the service',
      command: process.execPath,
      args: testedArguments(),
      variables: { PORT: '0', HOST: '127.0.0.1', ASSAY_THREADS: '1', ASSAY_MAX_LOOP_DELAY_MS: '0' },
      ready: /listens on (http:\/\/\S+)/,
    });
    url = service.match[1] ?? '';
  });
  afterAll(() => service?.stop());

  interface Operation {
    readonly parameters?: readonly { readonly name: string; readonly description?: string }[];
  }
  interface Description {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: {
      readonly schemas: Readonly<Record<string, { readonly properties?: Readonly<Record<string, { readonly description?: string }>> }>>;
    };
  }

  it('in its description, at each option that lists versions', async () => {
    const { paths, components } = (await (await fetch(`${url}/docs-json`)).json()) as Description;
    const options = Object.values(paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ parameters = [] }) => parameters)
      .filter(({ name }) => name === 'kubernetesVersion' || name === 'minors');
    expect(new Set(options.map(({ name }) => name))).toEqual(new Set(['kubernetesVersion', 'minors']));
    for (const { description = '' } of options) expectPreviews(description);
    expectPreviews(components.schemas['EvaluationOptions']?.properties?.['kubernetesVersion']?.description ?? '');
  });

  it('in its metrics, and in its matrix', async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain(`kubernetes="${minorRange('to')}"`);
    const body = readFileSync(RELEASES);
    const answer = await fetch(`${url}/matrix`, { method: 'POST', headers: { 'content-type': 'application/yaml' }, body });
    const { minors, previews = {} } = (await answer.json()) as { minors: unknown; previews?: object };
    expect([minors, Object.keys(previews)]).toEqual([MINORS, PREVIEWS]);
  });

  it('but not in a matrix of only released versions', async () => {
    const body = readFileSync(RELEASES);
    const answer = await fetch(`${url}/matrix?minors=${LATEST_MINOR}`, {
      method: 'POST',
      headers: { 'content-type': 'application/yaml' },
      body,
    });
    expect(await answer.json()).not.toHaveProperty('previews');
  });
});

describe('a cluster with a preview version or an unknown version', () => {
  let server: FakeApiServer;
  const kubeconfig = join(scratch, 'kubeconfig');
  /** Lets the cluster report a version. */
  const report = (minor: string, gitVersion: string): void => {
    server.always.splice(0, 1, ({ url }, response) => {
      if (url !== '/version') return false;
      answerJson(response, 200, { major: '1', minor, gitVersion });
      return true;
    });
  };
  beforeAll(async () => {
    server = await FakeApiServer.start({ '/apis/apiextensions.k8s.io/v1/customresourcedefinitions': [], '/api/v1/namespaces': [] });
    writeFileSync(kubeconfig, server.kubeconfig);
  });
  afterAll(() => server.stop());

  it('upgrade-check names the preview to which the cluster is upgraded', async () => {
    report(LATEST_MINOR.slice(2), `v${LATEST_MINOR}.1`);
    const { stdout } = await runAssay(['upgrade-check', '--to-version', NEWEST, '--kubeconfig', kubeconfig]);
    expect(stdout).toContain(`judged as ${LATEST_MINOR} and as ${minorWords(NEWEST)}`);
    const json = await runAssay(['upgrade-check', '--to-version', NEWEST, '--kubeconfig', kubeconfig, '-o', 'json']);
    expect(Object.keys((JSON.parse(json.stdout) as { previews?: object }).previews ?? {})).toEqual(PREVIEWS);
  });

  it.for(PREVIEWS.flatMap((minor) => ['', '+'].map((more) => [minor, more] as const)))(
    'is evaluated as %s%s, with a message',
    async ([minor, more]) => {
      report(`${minor.slice(2)}${more}`, `v${previewOf(minor)}`);
      const { stderr } = await runAssay(['explain', '--cluster', '--kubeconfig', kubeconfig]);
      expect(stderr).toContain(`is v${previewOf(minor)}: it is judged as ${minorWords(minor)}`);
    },
  );

  it('is evaluated as the newest released version if the cluster is newer than all known versions', async () => {
    report('99', 'v1.99.0');
    const { stderr } = await runAssay(['explain', '--cluster', '--kubeconfig', kubeconfig]);
    expect(stderr).toContain(`which is not known here: it is judged as ${LATEST_MINOR}`);
  });
});
