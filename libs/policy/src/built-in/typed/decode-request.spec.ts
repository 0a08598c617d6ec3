import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#go';
import { builtInKinds } from '../table/built-in-kind.ts';
import { decodeRequest } from './decode-request.ts';

const kind = builtInKinds('1.37').kind('apps/v1', 'Deployment');
const deployment = (spec: JsonObject): JsonObject => ({ apiVersion: 'apps/v1', kind: 'Deployment', spec });

function decode(body: JsonObject, fieldValidation: 'Strict' | 'Warn' | 'Ignore'): unknown {
  if (kind === undefined) throw new Error('no deployments');
  const outcome = decodeRequest(body, kind, { minor: '1.37', fieldValidation });
  return outcome.ok ? outcome.warnings : [outcome.status.code, outcome.status.message];
}

describe('decodeRequest', () => {
  it.each<[string, JsonObject, 'Strict' | 'Warn' | 'Ignore', unknown]>([
    ['unknown fields are refused', deployment({ replica: 1 }), 'Strict', [400, /strict decoding error: unknown field "spec\.replica"$/]],
    ['unknown fields are warned of', deployment({ replica: 1 }), 'Warn', ['unknown field "spec.replica"']],
    ['unknown fields are passed over', deployment({ replica: 1 }), 'Ignore', []],
    [
      'wrong types are refused always',
      deployment({ replicas: '1' }),
      'Ignore',
      [
        400,
        /^Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec\.spec\.replicas of type int32$/,
      ],
    ],
  ])('%s', (_, body, validation, expected) => {
    const found = decode(body, validation);
    if (!Array.isArray(expected) || !(expected[1] instanceof RegExp)) expect(found).toEqual(expected);
    else expect(found).toEqual([expected[0], expect.stringMatching(expected[1])]);
  });
});
