import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { startApi } from './start-api.ts';

let app: NestFastifyApplication;
let url: string;
beforeAll(async () => {
  ({ app, url } = await startApi({}));
});
afterAll(() => app.close());

type Bound = Readonly<Record<'version' | 'path' | 'keyword', string>> & { readonly suggested: number };

interface Row {
  readonly accepted: Readonly<Record<string, boolean>>;
  readonly causes?: readonly { readonly about: string; readonly causes: readonly { readonly name: string }[] }[];
  readonly additions?: { readonly bounds?: readonly Bound[]; readonly why?: string };
}

const rowsOf = async (minors: string, ...specs: readonly object[]): Promise<readonly Row[]> => (await matrixOf(minors, specs)).definitions;

async function matrixOf(
  minors: string,
  specs: readonly object[],
  objects: readonly object[] = [],
): Promise<Readonly<Record<'definitions' | 'objects', readonly Row[]>>> {
  const definitions = specs.map((spec, i) =>
    customDefinition({ kind: `Widget${'abc'[i]}`, schema: { type: 'object', properties: { spec } } }),
  );
  const body = JSON.stringify({ definitions, objects });
  const response = await fetch(`${url}/matrix?minors=${minors}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<'definitions' | 'objects', Row[]>;
}

const rule = { type: 'string', 'x-kubernetes-validations': [{ rule: "matches(self, '^([0-9]{1,5}(h|m|s|ms)){1,4}$')" }] };
const waits = (more: object) => ({ type: 'array', maxItems: 10, items: { ...rule, ...more } });
const port = { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer', example: 1 }, { type: 'string' }] };

describe('the response about differences between versions', () => {
  it('contains the cause, and the bounds with which all chosen versions accept a definition', async () => {
    const [dear, agreed] = await rowsOf('1.36,1.37', waits({}), waits({ maxLength: 9 }));
    expect(dear?.causes).toMatchObject([{ about: 'verdict', causes: [{ name: 'globalMatchesTraverses' }] }]);
    expect(dear?.additions).toMatchObject({ bounds: [{ version: 'v1', path: 'spec[*]', keyword: 'maxLength', before: null }] });
    expect(agreed).not.toHaveProperty('causes');
    expect(agreed).not.toHaveProperty('additions');
    const most = dear?.additions?.bounds?.[0]?.suggested ?? 0;
    const [within, beyond] = await rowsOf('1.36,1.37', waits({ maxLength: most }), waits({ maxLength: 2 * most }));
    expect([within?.accepted, beyond?.accepted]).toEqual([
      { '1.36': true, '1.37': true },
      { '1.36': true, '1.37': false },
    ]);
  });

  it('explains why no bounds help, if none do', async () => {
    const [row] = await rowsOf('1.35,1.36', port);
    expect(row?.causes).toMatchObject([{ about: 'verdict', causes: [{ name: 'documentationIsStructural' }] }]);
    expect(row?.additions).toEqual({ why: expect.stringContaining('no rule costs too much') as string });
  });

  it('contains the cause of different verdicts on an object', async () => {
    const count = { type: 'object', properties: { count: { type: 'integer', format: 'int32' } } };
    const write = { apiVersion: 'example.com/v1', kind: 'Widgeta', metadata: { name: 'one', namespace: 'shop' } };
    const objects = [1, 2 ** 31].map((value) => ({ ...write, spec: { count: value } }));
    const [small, large] = (await matrixOf('1.35,1.36', [count], objects)).objects;
    expect(small).not.toHaveProperty('causes');
    expect(large?.causes).toMatchObject([{ from: '1.35', to: '1.36', about: 'verdict', causes: [{ name: 'numbersAreTyped' }] }]);
  });

  it('contains the cause of different warnings, and no bounds', async () => {
    const [row] = await rowsOf('1.33,1.34', { type: 'string', format: 'phone' });
    expect(row?.causes).toMatchObject([{ about: 'texts', causes: [{ name: 'formatsAreWarned' }] }]);
    expect(row).not.toHaveProperty('additions');
  });
});
