import { LATEST_MINOR } from '#kube';
import { nodeEngine } from '#runner/linker';
import { expect, it } from 'vitest';
import { compileProgram } from '../../compile.ts';
import { environmentFor } from '../../language/environment.ts';
import { AUTHORIZER, AuthorizerValue } from '../../values/authorization.ts';
import { CelError } from '../../values/value.ts';
import type { AuthorizationCheck } from '../../values/authorization.ts';

/** Fake authorizer that allows every check with the verb `get`. The reason of its decision lists all inputs of the check. */
const authorize = (check: AuthorizationCheck) => ({
  allowed: check.verb === 'get',
  reason:
    check.kind === 'path'
      ? `${check.user.username} ${check.verb} ${check.path}`
      : [
          check.user.username,
          check.verb,
          check.group,
          check.resource,
          check.subresource,
          check.namespace,
          check.name,
          check.labelSelector,
        ].join('/'),
  error: check.verb === 'break' ? 'broken' : undefined,
});
const authorizer = new AuthorizerValue({ username: 'jane', uid: '', groups: [] }, authorize);
const POD = "authorizer.group('').resource('pods')";

it.each<[text: string, value: unknown, cost: number]>([
  [`${POD}.check('get').allowed()`, true, 350_004],
  [`${POD}.check('list').allowed()`, false, 350_004],
  [`${POD}.subresource('exec').namespace('ns').name('p').check('get').reason()`, 'jane/get//pods/exec/ns/p/', 350_007],
  [`${POD}.labelSelector('a=b').check('get').reason()`, 'jane/get//pods////a=b', 350_115],
  ["authorizer.path('/healthz').check('get').reason()", 'jane get /healthz', 350_003],
  ["authorizer.serviceAccount('ns', 'sa').path('/x').check('get').reason()", 'system:serviceaccount:ns:sa get /x', 350_004],
  [`${POD}.check('break').errored() ? ${POD}.check('break').error() : ''`, 'broken', 700_008],
  ["authorizer.path(' ').check('get').allowed()", 'path must not be empty', 350_003],
  ["authorizer.group('').resource('').check('get').allowed()", 'resource must not be empty', 350_004],
  ["authorizer.serviceAccount('ns', 'A').path('/x').check('get').allowed()", 'Invalid service account name', 350_004],
  ["authorizer.serviceAccount('N', 'a').path('/x').check('get').allowed()", 'Invalid service account namespace', 350_004],
])('the authorizer gives %s the expected value and cost in both engines', (text, value, cost) => {
  for (const engine of ['compiled', 'interpreted'] as const) {
    const compiled = compileProgram(text, {
      variables: new Map([['authorizer', AUTHORIZER]]),
      environment: environmentFor(LATEST_MINOR, 'stored'),
      results: undefined,
      messages: { compile: '', resultType: () => '', program: '' },
      engine: nodeEngine(engine),
    });
    if (!compiled.ok) throw new Error(compiled.error);
    const found = compiled.program.evaluate({ authorizer }, { costLimit: 1e6, token: undefined });
    expect([found.value instanceof CelError ? found.value.message : found.value, found.cost, engine]).toEqual([value, cost, engine]);
  }
});
