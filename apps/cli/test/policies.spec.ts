import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkOptions } from '#documents';
import type { EvaluationOptions } from '#documents';
import { EngineHost } from '#runner';
import { versionMatrix } from '#service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { evaluate } from '../src/evaluation/evaluate.ts';
import { explainDocuments } from '../src/commands/explain/explain-documents.ts';
import { documentsOf, envelopeOf } from '../src/documents/read-documents.ts';
import { placeMatrix, matrixText } from '../src/report/version-matrix.ts';
import { wholeReport, EvaluationView } from '../src/commands/evaluate/report/report.ts';
import { TextReport } from '../src/commands/evaluate/report/text.ts';
import { explanationText } from '../src/commands/explain/report/text.ts';
import { changePolicies, policyChangeText } from '../src/commands/what-if/change-policies.ts';

const GALLERY = join(import.meta.dirname, '../../../examples/policies');
const fileOf = (name: string) => ({ name, bytes: readFileSync(join(GALLERY, name)) });
const textOf = (text: string) => ({ name: 'given.yaml', bytes: Buffer.from(text) });

const host = new EngineHost({ threads: 1 });
beforeAll(() => host.start());
afterAll(() => host.stop());

function optionsWith(more: object): EvaluationOptions {
  const options = checkOptions(more);
  if (!options.ok) throw new Error(options.status.message);
  return options.value;
}

async function judge(files: readonly { readonly name: string; readonly bytes: Buffer }[], options: object = {}) {
  return evaluate(await documentsOf(files, host), optionsWith(options), host);
}

describe('a folder with admission policies', () => {
  it('is evaluated with these policies, their parameters and their costs', async () => {
    const files = [fileOf('replica-limits/policies.yaml'), fileOf('replica-limits/objects.yaml')];
    const { items, summary } = await judge(files, { explain: true });
    expect(items.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['limits', 'accepted'],
      ['front', 'accepted'],
      ['back', 'rejected'],
      ['batch', 'accepted'],
    ]);
    const cause = `ValidatingAdmissionPolicy 'replica-limits' with binding 'replica-limits' denied request: at most 3 replicas in shop, not 7`;
    expect(items[2]).toMatchObject({
      status: {
        code: 422,
        reason: 'Invalid',
        message: `deployments.apps "back" is forbidden: ${cause}`,
        details: { name: 'back', group: 'apps', kind: 'deployments', causes: [{ message: cause }] },
      },
      admission: {
        auditAnnotations: {
          'replica-limits/replicas': '7',
          'validation.policy.admission.k8s.io/validation_failure': expect.stringContaining('not 7') as string,
        },
        policies: [{ policy: 'replica-limits', binding: 'replica-limits', param: 'shop/limits' }],
      },
    });
    const costs = items.map(({ admission }) => admission?.cost ?? 0);
    expect(costs.slice(1, 3).every((cost) => cost > 10)).toBe(true);
    expect([costs[0], costs[3]]).toEqual([0, 0]);
    expect(summary.celCost).toBe(costs.reduce((sum, cost) => sum + cost, 0));
  });

  it('can be explained: the report contains the most expensive policies and expressions, with their objects', async () => {
    const documents = await documentsOf([fileOf('replica-limits/policies.yaml'), fileOf('replica-limits/objects.yaml')], host);
    const explained = await explainDocuments(documents, optionsWith({}), host);
    expect(explained.policies).toMatchObject([
      { policy: 'replica-limits', evaluations: 2, expressions: [{ part: 'messageExpression', evaluations: 2 }, {}, {}, {}, {}] },
    ]);
    const text = explanationText(explained, { files: new Map(), servers: '1.37', verbose: false });
    expect(text).toMatch(
      /^policy replica-limits: 2 evaluations, \d+ units\n {2}maximum \d+ of 10,000,000 \(0\.\d+%\): replica-limits\/objects\.yaml#2\n/,
    );
    expect(text).toContain('variables.replicas: 6 evaluations, maximum 3 of 1,000,000');
    expect(text).toContain('objects.yaml:16:1: error: object "back": ValidatingAdmissionPolicy ');
  });

  it("may have the parameters of a policy in another file, before or after the policy's file", async () => {
    const [policies, objects] = [fileOf('replica-limits/policies.yaml'), fileOf('replica-limits/objects.yaml')];
    for (const files of [
      [policies, objects],
      [objects, policies],
    ])
      expect((await judge(files)).summary).toMatchObject({ accepted: 3, rejected: 1 });
  });

  it.each(['1.30', '1.37'])('is evaluated with the defaults of built-in objects on Kubernetes %s', async (kubernetesVersion) => {
    const rule =
      'object.spec.replicas == 1 && has(object.spec.strategy.rollingUpdate) && object.spec.template.spec.containers[0].resources == {}';
    const policy = policyOf('defaulted', { apiGroups: ['apps'], resources: ['deployments'] }, rule);
    const spec = {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c' }] } },
    };
    const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec };
    const { items } = await judge([textOf(`${policy}\n---\n${JSON.stringify(object)}`)], { kubernetesVersion });
    expect(items).toMatchObject([{ outcome: 'accepted', admission: {} }]);
  });

  it.each(['1.30', '1.37'])(
    'is evaluated with the defaults of stored built-in objects, too, on Kubernetes %s',
    async (kubernetesVersion) => {
      const policy = policyOf(
        'unchanged',
        { apiGroups: ['apps'], resources: ['deployments'] },
        'object.spec == oldObject.spec && oldObject.spec.replicas == 1',
      );
      const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec: {} };
      const update = { object: deployment, oldObject: deployment };
      const deletion = { operation: 'DELETE', oldObject: deployment };
      const removed = policy.replace('object.spec == oldObject.spec && ', '');
      expect((await judge([textOf(`${policy}\n---\n${JSON.stringify(update)}`)], { kubernetesVersion })).items).toMatchObject([
        { outcome: 'accepted' },
      ]);
      expect((await judge([textOf(`${removed}\n---\n${JSON.stringify(deletion)}`)], { kubernetesVersion })).items).toMatchObject([
        { outcome: 'accepted' },
      ]);
    },
  );

  it('gets an error for an unreadable policy', async () => {
    const policy = policyOf('broken', { apiGroups: [''], resources: ['pods'] }, 'true').replace('"expression":"true"', '"expression":1');
    const { items } = await judge([textOf(`${policy}\n---\n{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}}`)]);
    expect(items).toMatchObject([{ outcome: 'notEvaluated', status: { message: expect.stringContaining('expression') as string } }]);
  });

  it("is evaluated with the authorizer's table for the requesting user", async () => {
    const policy = policyOf(
      'trusted',
      { apiGroups: [''], resources: ['secrets'] },
      `authorizer.group('').resource('secrets').check('own').allowed()`,
    );
    const secret = JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } });
    const files = [textOf(`${policy}\n---\n${secret}`)];
    const admission = { userInfo: { username: 'ann' }, authorizer: [{ user: 'ann', verb: 'own', decision: 'allow' }] };
    expect((await judge(files, { admission })).items).toMatchObject([
      { outcome: 'accepted', admission: { cost: expect.any(Number) as number } },
    ]);
    expect((await judge(files)).items).toMatchObject([{ outcome: 'rejected' }]);
  });
});

describe('a change of policies', () => {
  const [policies, objects] = [fileOf('replica-limits/policies.yaml'), fileOf('replica-limits/objects.yaml')];
  const change = async (to: typeof objects) => {
    const [before, after, written] = [
      await documentsOf([policies], host),
      await documentsOf([to], host),
      await documentsOf([objects], host),
    ];
    const how = { options: optionsWith({}), definitionValidation: 'Strict' } as const;
    return changePolicies({ from: before, to: after, objects: written }, how, host);
  };
  const changed = (from: string, to: string) => ({ name: 'new.yaml', bytes: Buffer.from(policies.bytes.toString().replace(from, to)) });

  it.each([
    ['tighter', changed('<= variables.most', '< variables.most'), { denied: 1, deniedBefore: 1, unaffected: 2 }],
    ['wider', changed('<= variables.most', '<= 2 * variables.most + 1'), { allowed: 1, unaffected: 3 }],
    ['only warning', changed('[Deny, Audit]', '[Warn]'), { warned: 0, allowed: 1, unaffected: 3 }],
    ['the same', policies, { deniedBefore: 1, unaffected: 3 }],
  ])('reports the affected objects: %s', async (_, to, effects) => {
    const outcome = await change(to);
    expect(outcome.effects).toMatchObject(effects);
    expect(Object.values(outcome.effects).reduce((sum, count) => sum + count, 0)).toBe(4);
    expect(policyChangeText(outcome)).toContain('Summary: 4 objects: ');
  });

  it('names the affected objects with their messages', async () => {
    const outcome = await change(changed('<= variables.most', '< variables.most'));
    expect(policyChangeText(outcome)).toMatch(
      /^replica-limits\/objects\.yaml#2 "front" refused\n {4}deployments\.apps "front" is forbidden: .* not 3\n/,
    );
  });
});

describe('a policy that a server would reject', () => {
  const policy = policyOf('guard', { apiGroups: ['apps'], resources: ['deployments'] }, 'object.spec.replicsa > 0').replace(
    '"validationActions":["Deny"]',
    '"validationActions":["Deny","Warn"]',
  );
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec: { replicas: 1 } };
  const files = [textOf(`${policy.replaceAll('"apiVersions":["*"]', '"apiVersions":["v1"]')}\n---\n${JSON.stringify(deployment)}`)];

  it("is reported with the server's message, and is still evaluated", async () => {
    const outcome = await judge(files);
    expect(outcome.policyReports).toMatchObject([
      { name: 'guard', accepted: true },
      { accepted: false, status: { code: 422 } },
    ]);
    expect(outcome.items).toMatchObject([
      { outcome: 'rejected', status: { message: expect.stringContaining('no such key: replicsa') as string } },
    ]);
    expect(wholeReport(new TextReport(), outcome, new EvaluationView([], { asServer: true, quiet: false }))).toMatch(
      /^ValidatingAdmissionPolicyBinding "guard" would be refused when it is written; .*\n +ValidatingAdmissionPolicyBinding\.admissionregistration\.k8s\.io "guard" is invalid: spec\.validationActions: Invalid value/,
    );
  });

  it('is explained with the type-checking warnings of a server', async () => {
    const explained = await explainDocuments(await documentsOf(files, host), optionsWith({}), host);
    expect(explained.policyReports?.[0]?.typeChecking).toMatchObject([
      {
        fieldRef: 'spec.validations[0].expression',
        warning: expect.stringMatching(/^apps\/v1, Kind=Deployment: ERROR: <input>:1:12: undefined field 'replicsa'/) as string,
      },
    ]);
    expect(explanationText(explained, { files: new Map(), servers: '1.37', verbose: true })).toContain(
      'status.typeChecking warns of spec.validations[0].expression',
    );
  });
});

describe('a field that a policy reads', () => {
  const policy = (expression: string, versions = 'v1'): string =>
    policyOf('limit', { apiGroups: ['apps'], resources: ['deployments', 'daemonsets'] }, expression).replaceAll(
      '"apiVersions":["*"]',
      `"apiVersions":["${versions}"]`,
    );
  const objectOf = (kind: string): string => JSON.stringify({ apiVersion: 'apps/v1', kind, metadata: { name: 'd' }, spec: {} });
  const notes = async (text: string) => {
    const { policyReports, items } = await judge([textOf(text)]);
    const said = (findings: readonly { readonly message: string; readonly location?: object }[] = []) =>
      findings.map(({ message }) => message);
    return { ofPolicy: said(policyReports?.[0]?.findings), ofObjects: items.map(({ findings }) => said(findings).slice(1)), policyReports };
  };

  it('gets one note with the correct name if it is misspelt, and no object gets the advice to add has()', async () => {
    const text = [policy('object.spec.template.spec.containrs.size() <= 5'), objectOf('Deployment'), objectOf('DaemonSet')].join('\n---\n');
    const { ofPolicy, ofObjects, policyReports } = await notes(text);
    const kinds = 'apps/v1, Kind=DaemonSet; apps/v1, Kind=Deployment';
    expect(ofPolicy).toEqual([`type checking: undefined field 'containrs' (${kinds}); did you mean containers?`]);
    expect(ofObjects).toEqual([[], []]);
    expect(policyReports?.[0]?.findings).toMatchObject([{ severity: 'warning', location: { line: 1 } }]);
  });

  it('gets a note only if a declared field is similar', async () => {
    const { policyReports } = await notes([policy('object.spec.colour == 1'), objectOf('Deployment')].join('\n---\n'));
    expect(policyReports?.[0]?.findings).toMatchObject([
      { severity: 'note', message: expect.stringContaining("undefined field 'colour'") as string },
    ]);
  });

  it('gets the advice to add has() if the type of the object has the field', async () => {
    const text = [policy('object.metadata.labels.size() > 0 && object.spec.replicas <= 5'), objectOf('Deployment')].join('\n---\n');
    const { ofPolicy, ofObjects } = await notes(text);
    // The policy matches several kinds, and only DaemonSets have no field `replicas`. So the policy gets no note about this field.
    expect(ofPolicy).toEqual([]);
    expect(ofObjects).toEqual([[expect.stringContaining('has(object.metadata.labels)')]]);
  });
});

describe('a messageExpression whose value a server does not use', () => {
  it.each([
    ["'in ' + object.metadata.annotations['a']", 'no such key: annotations'],
    ["'a\\nb'", 'its value has several lines'],
    ["' '", 'its value is empty'],
  ])('gets a note: %s', async (messageExpression, why) => {
    const policy = policyOf('m', { apiGroups: [''], resources: ['configmaps'] }, 'false').replace(
      '"expression":"false"',
      `"expression":"false","messageExpression":${JSON.stringify(messageExpression)}`,
    );
    const object = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } });
    const outcome = await judge([textOf(`${policy}\n---\n${object}`)]);
    const [item] = outcome.items;
    expect(item?.status?.message).toContain('failed expression: false');
    expect(item?.hints).toEqual([
      expect.stringMatching(new RegExp(`^the messageExpression of validation 0 of .* 'm' has no effect.*: ${why}$`)),
    ]);
    expect(wholeReport(new TextReport(), outcome, new EvaluationView([], { asServer: false, quiet: false }))).toContain(
      `: note: ConfigMap "c": the message`,
    );
  });
});

describe('a list in an object that a policy evaluates', () => {
  const policy = policyOf(
    'loop',
    { apiGroups: [''], resources: ['pods'] },
    'object.spec.containers.all(c, object.spec.containers.all(d, c.image == d.image))',
  );
  const podOf = (containers: number): string => {
    const spec = { containers: Array.from({ length: containers }, (_, i) => ({ name: `c${i}`, image: 'registry/i' })) };
    return JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'shop' }, spec });
  };

  it('is reported with the largest length that the limit of one evaluation allows', async () => {
    const explained = await explainDocuments(await documentsOf([textOf(`${policy}\n---\n${podOf(2)}`)], host), optionsWith({}), host);
    const [growth, ...texts] = explained.policies?.[0]?.growth ?? [];
    expect(texts).toEqual([]);
    expect(growth).toMatchObject({ part: 'validation', index: 0, list: 'spec.containers', length: 2, endsBy: 'limit', isChecked: true });
    const longest = growth?.mayGrowTo ?? 0;
    expect(explanationText(explained, { files: new Map(), servers: '1.37', verbose: true })).toMatch(
      /spec\.containers \(2 elements\) may grow to [\d,]+ for validation 0: with one more the limit of one evaluation stops it/,
    );
    const { items } = await judge([textOf([policy, podOf(longest), podOf(longest + 1)].join('\n---\n'))]);
    expect(items.map(({ outcome }) => outcome)).toEqual(['accepted', 'rejected']);
    expect(items[1]?.status?.message).toContain('actual cost limit exceeded');
  });
});

describe('webhooks among the documents', () => {
  const configuration = (kind: string, name: string, webhooks: readonly object[]): string =>
    JSON.stringify({ apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name }, webhooks });
  const rules = [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] }];
  const conditioned = (name: string, expression: string): object => ({
    name,
    rules,
    matchConditions: [{ name: 'c', expression }],
    clientConfig: { url: 'https://example.com' },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  });
  const deployment = (name: string, replicas: number): string =>
    JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'shop' }, spec: { replicas } });
  const documents = [
    configuration('ValidatingWebhookConfiguration', 'b', [conditioned('large.example.com', 'object.spec.replicas > 3')]),
    configuration('ValidatingWebhookConfiguration', 'a', [conditioned('any.example.com', "object.metadata.name != 'x'")]),
    configuration('MutatingWebhookConfiguration', 'm', [
      { ...conditioned('other.example.com', 'true'), rules: [{ ...rules[0], resources: ['pods'] }] },
    ]),
    deployment('small', 2),
    deployment('large', 5),
  ];

  it('are reported with the cost of their match conditions, and never called', async () => {
    const outcome = await judge([textOf(documents.join('\n---\n'))], { explain: true });
    const cost = expect.any(Number) as number;
    expect(outcome.items).toMatchObject([
      {
        outcome: 'accepted',
        admission: {
          webhooks: [
            { configuration: 'm', webhook: 'other.example.com', called: false, cost: 0 },
            { configuration: 'a', webhook: 'any.example.com', called: true, cost },
            { configuration: 'b', webhook: 'large.example.com', called: false, cost },
          ],
        },
      },
      { admission: { webhooks: [{ called: false }, { called: true }, { called: true }] } },
    ]);
    const [first] = outcome.items;
    expect(first?.admission?.cost).toBe(first?.admission?.webhooks?.reduce((sum, webhook) => sum + webhook.cost, 0));
    expect(wholeReport(new TextReport(), outcome, new EvaluationView([], { asServer: true, quiet: false }))).toContain(
      'webhook any.example.com of a would be asked (it is never called here)',
    );
  });

  it('reject a write if their match conditions fail, as on a server', async () => {
    const failing = configuration('MutatingWebhookConfiguration', 'f', [conditioned('f.example.com', 'object.spec.no == 1')]);
    const { items } = await judge([textOf([failing, ...documents.slice(3)].join('\n---\n'))], { explain: true });
    expect(items[0]).toMatchObject({
      outcome: 'rejected',
      status: {
        code: 403,
        message: `deployments.apps "small" is forbidden: expression 'object.spec.no == 1' resulted in error: no such key: no`,
      },
      admission: { webhooks: [{ webhook: 'f.example.com', called: false, error: expect.stringContaining('no such key') as string }] },
    });
  });
});

describe('a policy or a binding', () => {
  const policy = (name: string, resource = 'pods') => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [${resource}]}]}
  validations: [{expression: "true"}]
`;
  const binding = (name: string) => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: b}
spec: {policyName: ${name}, validationActions: [Deny]}
`;
  it.each([
    ['without a binding', policy('p'), 'policy "p": it does nothing: no binding among the documents names it'],
    ['a binding to nothing', binding('q'), 'it does nothing: ValidatingAdmissionPolicy q is not among the documents'],
    [
      'a kind as a resource',
      `${policy('p', 'Deployment')}---\n${binding('p')}`,
      'match nothing: a resource is a plural in lower case, such as deployments',
    ],
  ])('gets a note if it cannot have an effect: %s', async (_, text, words) => {
    const pod = '---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: a, image: b}]}\n';
    const documents = await documentsOf([textOf(text + pod)], host);
    const outcome = await evaluate(documents, optionsWith({}), host);
    const output = wholeReport(new TextReport(), outcome, new EvaluationView(documents.files, { asServer: false, quiet: false }));
    const explained = explanationText(await explainDocuments(documents, optionsWith({}), host), {
      files: new Map(),
      servers: '1.37',
      verbose: false,
    });
    for (const shown of [output, explained]) expect(shown.toLowerCase()).toContain(words.toLowerCase().replace('policy "p": ', ''));
  });

  it('gets no note if the policy has its binding', async () => {
    const { policyReports } = await judge([textOf(`${policy('p')}---\n${binding('p')}---\nkind: Pod\napiVersion: v1\n`)]);
    expect(policyReports).toHaveLength(2);
    expect(policyReports?.flatMap(({ hints = [] }) => hints)).toEqual([]);
  });
});

describe('several Kubernetes versions', () => {
  it('are compared under the policies of the folder', async () => {
    const documents = await documentsOf(
      ['policies.yaml', 'objects.yaml'].map((name) => fileOf(`add-sidecar/${name}`)),
      host,
    );
    const matrix = await versionMatrix(host, envelopeOf(documents, optionsWith({})), ['1.35', '1.36', '1.37']);
    const { objects } = matrix;
    expect(objects.map(({ name, outcome }) => [name, outcome['1.37']])).toEqual([
      ['front', 'accepted'],
      ['ready', 'accepted'],
      ['foreign', 'rejected'],
    ]);
    expect(objects[2]?.messages['1.37']).toContain('images of another registry: web');
    const [before, after] = [objects[0]?.celCost['1.35'] ?? 0, objects[0]?.celCost['1.36'] ?? 0];
    // Mutating policies apply from 1.36 on.
    expect(after).toBeGreaterThan(before);
    expect(objects[0]?.changes).toBe(true);
    const text = matrixText(placeMatrix(matrix, documents));
    expect(text).toMatch(/MutatingAdmissionPolicy add-sidecar +NO +ok +ok +changes\n.*: 1\.35: policy refused: the server could not find/);
    expect(text).toContain('Policy refused on 1.35: ');
    const output = (await evaluate(documents, optionsWith({ kubernetesVersion: '1.35' }), host)).policyReports?.[0];
    const view = new EvaluationView([], { asServer: false, quiet: false });
    expect(output && view.findingsOfPolicy(output)[0]?.finding.message).toContain('policy refused: this server does not know its kind');
  });
});

it('several Kubernetes versions are also compared by their warnings, with the reason of the difference', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string', format: 'k8s-short-name' } } };
  const documents = await documentsOf([textOf(JSON.stringify(customDefinition({ kind: 'Widget', schema })))], host);
  const matrix = await versionMatrix(host, envelopeOf(documents, optionsWith({})), ['1.33', '1.34']);
  expect(matrixText(placeMatrix(matrix, documents))).toMatch(/changes\n.*: 1\.34: warning: unrecognized format "k8s-short-name"\n/);
});

describe('mutating policies', () => {
  const files = ['policies.yaml', 'objects.yaml'].map((name) => fileOf(`add-sidecar/${name}`));
  const containersOf = (object: unknown): string[] =>
    (object as { spec: { containers: { name: string }[] } }).spec.containers.map(({ name }) => name);

  it('change the object that is validated and stored', async () => {
    const { items } = await judge(files, { returnObjects: true, explain: true });
    expect(items.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['front', 'accepted'],
      ['ready', 'accepted'],
      ['foreign', 'rejected'],
    ]);
    expect(containersOf(items[0]?.object)).toEqual(['web', 'proxy']);
    expect(items[0]?.object?.['metadata']).toMatchObject({ labels: { proxy: 'yes', 'example.com/proxied': 'true' } });
    expect(containersOf(items[1]?.object)).toEqual(['proxy']);
    expect(items[2]?.status?.message).toContain('images of another registry: web');
    expect(items[0]?.admission?.policies?.map(({ policy }) => policy)).toEqual(['add-sidecar', 'add-sidecar', 'own-registry']);
  });

  it('add a container that gets the defaults of a server', async () => {
    const { items } = await judge(files, { returnObjects: true });
    expect(items[0]?.object).toHaveProperty(
      'spec.containers.1',
      expect.objectContaining({ name: 'proxy', terminationMessagePath: '/dev/termination-log' }),
    );
  });

  it.each([
    ['1.35', {}, ['web']],
    ['1.36', {}, ['web', 'proxy']],
    ['1.35', { MutatingAdmissionPolicy: true }, ['web', 'proxy']],
    ['1.37', { MutatingAdmissionPolicy: false }, ['web']],
  ])('apply if their feature gate is on: %s %o', async (kubernetesVersion, gates, containers) => {
    const { items } = await judge(files, { returnObjects: true, kubernetesVersion, featureGates: gates });
    expect(containersOf(items[0]?.object)).toEqual(containers);
  });
});

describe('a definition that is itself the object of a request', () => {
  const files = ['policies.yaml', 'objects.yaml'].map((name) => fileOf(`gateway-definitions/${name}`));

  it('is validated as a write, and policies apply to it', async () => {
    const { items, definitions } = await judge(files, { kubernetesVersion: '1.34', returnObjects: true, explain: true });
    expect([definitions, items.map(({ outcome }) => outcome)]).toEqual([[], ['accepted']]);
    expect(items[0]?.admission?.policies?.map(({ policy }) => policy)).toEqual(['gateway-definitions']);
    expect(items[0]?.object).toMatchObject({ spec: { names: { listKind: 'LaneList' } }, status: { storedVersions: ['v1'] } });
  });
});

describe('requests that write no object', () => {
  const policy = policyOf(
    'guard',
    { apiGroups: [''], resources: ['pods', 'pods/exec'] },
    `request.operation == 'DELETE' ? oldObject.metadata.name != 'kept' : request.userInfo.groups.exists(g, g == 'admins')`,
  );
  const pod = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'shop' } });
  const core = (more: object) => ({ group: '', version: 'v1', ...more });
  const exec = {
    kind: core({ kind: 'PodExecOptions' }),
    resource: core({ resource: 'pods' }),
    subresource: 'exec',
    name: 'one',
    namespace: 'shop',
  };
  const options = { apiVersion: 'v1', kind: 'PodExecOptions', command: ['sh'] };
  const review = {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'u',
      kind: exec.kind,
      resource: exec.resource,
      subResource: 'exec',
      name: 'one',
      namespace: 'shop',
      operation: 'CONNECT',
      userInfo: { username: 'eve', groups: ['dev'] },
      object: options,
      oldObject: null,
      dryRun: false,
      options: null,
    },
  };

  it.each([
    ['a deletion', { operation: 'DELETE', oldObject: pod('one') }, 'accepted'],
    ['a deletion of what is kept', { operation: 'DELETE', oldObject: pod('kept') }, 'rejected'],
    [
      'a connection by an administrator',
      { operation: 'CONNECT', request: exec, object: options, userInfo: { username: 'a', groups: ['admins'] } },
      'accepted',
    ],
    ['a connection', { operation: 'CONNECT', request: exec, object: options, userInfo: { username: 'b', groups: [] } }, 'rejected'],
    ['a reviewed connection', review, 'rejected'],
    ['a request of something unknown', { operation: 'PATCH', request: {}, object: pod('one') }, 'rejected'],
  ])('are evaluated only by policies: %s', async (_, item, outcome) => {
    const { items } = await judge([textOf(`${policy}\n---\n${JSON.stringify(item)}`)]);
    expect(items).toMatchObject([{ outcome }]);
  });

  it("are rejected with the server's message, which names the object", async () => {
    const { items } = await judge([textOf(`${policy}\n---\n${JSON.stringify(review)}`)]);
    expect(items[0]?.status?.message).toMatch(
      /^pods "one" is forbidden: ValidatingAdmissionPolicy 'guard' with binding 'guard' denied request: /,
    );
  });
});

describe('an object of a built-in kind without policies', () => {
  it('is rejected if it does not fit its Go type, and otherwise not evaluated', async () => {
    const objects = [{ replicas: 1 }, { replicas: 'many' }, { replica: 1 }].map((spec) =>
      JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec }),
    );
    const files = [textOf(objects.join('\n---\n'))];
    const { items } = await judge(files);
    expect(items.map(({ outcome }) => outcome)).toEqual(['notEvaluated', 'rejected', 'notEvaluated']);
    expect(items[1]?.status?.message).toContain('cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32');
    expect(items[2]?.warnings).toEqual(['unknown field "spec.replica"']);
    expect((await judge(files, { fieldValidation: 'Strict' })).items[2]).toMatchObject({
      outcome: 'rejected',
      status: { message: expect.stringContaining('strict decoding error: unknown field "spec.replica"') as string },
    });
  });
});

/** Returns a policy with one resource rule and one validation, and its binding. */
function policyOf(name: string, rule: { apiGroups: string[]; resources: string[] }, expression: string): string {
  const matchConstraints = { resourceRules: [{ ...rule, apiVersions: ['*'], operations: ['*'] }] };
  const group = { apiVersion: 'admissionregistration.k8s.io/v1', metadata: { name } };
  return [
    { ...group, kind: 'ValidatingAdmissionPolicy', spec: { matchConstraints, validations: [{ expression }] } },
    { ...group, kind: 'ValidatingAdmissionPolicyBinding', spec: { policyName: name, validationActions: ['Deny'] } },
  ]
    .map((document) => JSON.stringify(document))
    .join('\n---\n');
}
