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
  ['not called in a namespace that its selector does not match', { namespaceSelector: { matchLabels: { env: 'test' } } }, {}, false],
  ['called in a namespace that its selector matches', { namespaceSelector: { matchLabels: { env: 'prod' } } }, {}, true],
  ['not called for an object that its selector does not match', { objectSelector: { matchLabels: { a: 'b' } } }, {}, false],
  ['called if its match condition is true', condition("object.metadata.name == 'c'"), {}, true],
  ['not called if its match condition is false', condition("object.metadata.name == 'd'"), {}, false],
  [
    'failing if its match condition fails',
    condition('object.x == 1'),
    {},
    `403 configmaps "c" is forbidden: expression 'object.x == 1' resulted in error: no such key: x`,
  ],
  [
    'not called if its match condition fails and failurePolicy is Ignore',
    { ...condition('object.x == 1'), failurePolicy: 'Ignore' },
    {},
    false,
  ],
  [
    'failing if its match condition names a variable',
    condition('variables.x'),
    {},
    `403 configmaps "c" is forbidden: compilation error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables' (in container '')\n | variables.x\n | ^`,
  ],
  [
    'failing if the namespace does not exist',
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
