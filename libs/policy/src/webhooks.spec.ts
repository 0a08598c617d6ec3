import { expect, it } from 'vitest';
import { LATEST_MINOR } from '#kube';
import { nodeEngine } from '#runner/linker';
import { callWebhook, compileWebhook, readWebhooks } from './webhooks.ts';
import { configMap, json, requestOf, worldOf } from './testing/admission-fixture.ts';

const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
const condition = (expression: string) => ({ matchConditions: [{ name: 'c', expression }] });

it.each<[what: string, webhook: Record<string, unknown>, request: Record<string, unknown>, expected: boolean | string]>([
  ['called', {}, {}, true],
  ['not called for other operations', {}, { operation: 'UPDATE' }, false],
  ['not called in other namespaces', { namespaceSelector: { matchLabels: { env: 'test' } } }, {}, false],
  ['called in this one', { namespaceSelector: { matchLabels: { env: 'prod' } } }, {}, true],
  ['not called for other objects', { objectSelector: { matchLabels: { a: 'b' } } }, {}, false],
  ['called where its conditions hold', condition("object.metadata.name == 'c'"), {}, true],
  ['not called where they do not', condition("object.metadata.name == 'd'"), {}, false],
  [
    'failing where they fail',
    condition('object.x == 1'),
    {},
    `403 configmaps "c" is forbidden: expression 'object.x == 1' resulted in error: no such key: x`,
  ],
  ['not called where they fail and that is ignored', { ...condition('object.x == 1'), failurePolicy: 'Ignore' }, {}, false],
  [
    'failing where variables are named',
    condition('variables.x'),
    {},
    `403 configmaps "c" is forbidden: compilation error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables' (in container '')\n | variables.x\n | ^`,
  ],
  [
    'failing where the namespace is gone',
    { namespaceSelector: { matchLabels: { env: 'x' } } },
    { namespace: 'gone' },
    '404 namespaces "gone" not found',
  ],
])('the webhook is %s', (_, webhook, request, expected) => {
  const [read] = readWebhooks(json({ webhooks: [{ name: 'w', rules, ...webhook }] }));
  const compiled = compileWebhook(read!, LATEST_MINOR, nodeEngine('interpreted'));
  const { call, refusal } = callWebhook(compiled, requestOf({ object: configMap(), ...request }), worldOf({}));
  expect(refusal === undefined ? call !== undefined : `${refusal.code} ${refusal.message}`).toBe(expected);
});
