import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PolicyStudyReport } from '#benchmark';
import { AssayProcess } from './assay-process.ts';
import { runAssay } from '../../../testing/run-assay.ts';

const bench = (...argv: readonly string[]) => runAssay(['bench', ...argv]);

const RULES = [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] }];
const API = 'admissionregistration.k8s.io/v1';
const CONTAINERS = 'object.spec.template.spec.containers';

const policyOf = (kind: string, name: string, spec: object, binding: object = {}): object[] => [
  {
    apiVersion: API,
    kind: `${kind}AdmissionPolicy`,
    metadata: { name },
    spec: { matchConstraints: { resourceRules: RULES }, failurePolicy: 'Fail', ...spec },
  },
  {
    apiVersion: API,
    kind: `${kind}AdmissionPolicyBinding`,
    metadata: { name: `${name}-binding` },
    spec: { policyName: name, ...(kind === 'Validating' && { validationActions: ['Deny'] }), ...binding },
  },
];

const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd', namespace: 'default', labels: { team: 'blue' } },
  spec: {
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'registry/c' }] } },
  },
};

const LOOPS = policyOf('Validating', 'loops', {
  validations: [{ expression: `${CONTAINERS}.all(c, ${CONTAINERS}.all(d, c.image == d.image))` }],
});
const LIMITS = [
  ...policyOf(
    'Validating',
    'limits',
    {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      variables: [{ name: 'size', expression: `${CONTAINERS}.size()` }],
      matchConditions: [{ name: 'people', expression: "!request.userInfo.username.startsWith('system:')" }],
      validations: [{ expression: 'variables.size <= int(params.data.most)' }],
    },
    { paramRef: { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' } },
  ),
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'limits', namespace: 'default' }, data: { most: '5000' } },
];
const LABELS = policyOf('Mutating', 'labels', {
  reinvocationPolicy: 'Never',
  mutations: [
    { patchType: 'ApplyConfiguration', applyConfiguration: { expression: "Object{metadata: Object.metadata{labels: {'team': 'red'}}}" } },
  ],
});

function fileOf(...documents: readonly object[]): string {
  const file = join(mkdtempSync(join(tmpdir(), 'assay-policies-')), 'documents.yaml');
  writeFileSync(file, documents.map((document) => JSON.stringify(document)).join('\n---\n'));
  return file;
}

describe('assay bench of policies', () => {
  it('reports how cost and time grow with each number of parts and each size of data', async () => {
    const { status, stdout } = await bench(fileOf(...LOOPS, ...LIMITS, ...LABELS, DEPLOYMENT), '--budget', '120s', '-o', 'json');
    const { schema, policies, isPartial }: PolicyStudyReport = JSON.parse(stdout);
    expect({ status, schema, isPartial }).toEqual({ status: 0, schema: 'assay.dev/policy-study/v1', isPartial: false });
    const byName = new Map(policies.map((policy) => [policy.name, policy]));
    const grows = (name: string) => byName.get(name)?.series.map(({ grows: what, name: of = '' }) => `${what} ${of}`.trim());
    expect(grows('loops')).toEqual([
      'bindings',
      'elements spec.template.spec.containers',
      'characters spec.template.spec.containers[0].image',
    ]);
    expect(grows('limits')).toEqual(['bindings', 'parameters', 'variables size', 'matchConditions people']);
    expect(grows('labels')).toEqual(['bindings']);
    const [bindings, containers] = byName.get('loops')?.series ?? [];
    expect(bindings).toMatchObject({ costExponent: 1, timeExponent: 1 });
    expect(bindings?.points.map(({ size, cost }) => cost / size)).toEqual(bindings?.points.map(() => byName.get('loops')?.price?.cost));
    expect(containers).toMatchObject({ costExponent: 2, mayGrowTo: { by: 'limit' } });
    const [labels] = byName.get('labels')?.series ?? [];
    expect(labels?.passes.find(({ ms }) => ms === 100)).toMatchObject({ isJudged: true });
  }, 240_000);

  it('prints tables and what it did not study, and rejects missing objects and options for rules of definitions', async () => {
    const file = fileOf(...LOOPS, ...LABELS, DEPLOYMENT);
    const text = await bench(file, '--budget', '120s');
    expect(text.stdout).toMatch(
      /ValidatingAdmissionPolicy loops, write of .*documents\.yaml#\d: \d+ units, ≈ [\d.]+ µs on a server, 1 binding\n/,
    );
    expect(text.stdout).toMatch(/GROWS WITH +COST +TIME[^]* bindings +n\^1\.0 +n\^1\.0 +1,024 /);
    expect(text.stdout).toMatch(/spec\.template\.spec\.containers +n\^2\.0 .* \(limit of one evaluation\)/);
    expect(text.stdout).toContain('Not studied: matchConditions: the policy has no matchConditions');
    const markdown = await bench(file, '--budget', '5s', '-o', 'markdown');
    expect(markdown.stdout).toMatch(/^### Costs of policies: 2 studied\n\n\| Policy \| Grows with \|/);
    const page = await bench(file, '--budget', '5s', '-o', 'html');
    expect(page.stdout).toMatch(/^<!doctype html>[^]*ValidatingAdmissionPolicy loops[^]*<svg/);
    for (const [argv, problem] of [
      [[fileOf(...LOOPS)], 'the policies cannot be studied: the files hold no object whose write they could judge'],
      [[file, '--fail-on', 'cost>5'], 'the policies cannot be studied: --fail-on is about rules of definitions'],
      [[file, '--budget', '1s', '-o', 'badge'], '-o badge shows rules of definitions, and the files hold only policies'],
    ] as const) {
      const { status, stderr } = await bench(...argv);
      expect(stderr).toContain(problem);
      expect(status).toBe(2);
    }
    const other = await bench(fileOf(...LOOPS, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } }), '--budget', '5s');
    expect(other.stdout).toContain('Not studied: policy: the files hold no object or AdmissionReview to which the policy');
  }, 240_000);

  it('prints its results so far when the user interrupts it, and ends within its budget', async () => {
    const dear = `${CONTAINERS}.all(a, ${CONTAINERS}.all(b, ${CONTAINERS}.all(c, a.name + b.name + c.name != '')))`;
    const containers = Array.from({ length: 60 }, (_, i) => ({ name: `c${i}`, image: 'registry/c' }));
    const pod = { ...DEPLOYMENT, spec: { ...DEPLOYMENT.spec, template: { ...DEPLOYMENT.spec.template, spec: { containers } } } };
    const file = fileOf(...policyOf('Validating', 'dear', { validations: [{ expression: dear }] }), pod);
    const begun = performance.now();
    const short = await bench(file, '--budget', '3s');
    expect(performance.now() - begun).toBeLessThan(20_000);
    expect(short.stdout).toContain('the time did not suffice for all sizes');
    const run = new AssayProcess(['bench', file, '--budget', '20s']);
    await run.says('of 6 parts');
    run.signal('SIGINT');
    expect(await run.ended).toBe(1);
    expect(run.stdout).toContain('ValidatingAdmissionPolicy dear');
    expect(run.stderr).toContain('interrupted: the report is about what is known by now');
  }, 240_000);
});
