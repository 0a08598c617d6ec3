import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { runAssay } from '../../../testing/run-assay.ts';
import type { AssayRun } from '../../../testing/run-assay.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-eval-'));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer', default: 3 },
        names: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 5 } },
        at: { type: 'string', format: 'date-time' },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        data: { type: 'string', format: 'byte' },
      },
    },
  },
};
const crd = file('crd.yaml', JSON.stringify(customDefinition({ kind: 'Widget', schema })));
const object = file(
  'w.yaml',
  'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {names: [a, bb], at: "2020-01-02T03:04:05Z", labels: {k: v}, data: aGk=, unknown: 1}\n',
);

async function evaluate(expression: string, ...more: string[]): Promise<{ status: unknown; stdout: string; stderr: string }> {
  return runAssay(['eval', expression, '--schema', crd, ...more]);
}

interface Answer {
  readonly type?: string;
  readonly estimate?: string;
  readonly error?: string;
  readonly objects: readonly { readonly value?: unknown; readonly error?: string; readonly cost?: number }[];
}

describe('assay eval', () => {
  it.each([
    ['self.spec.size > 1', '', 'bool', true],
    ['self.size + 1', 'spec', 'int', 4],
    ['self.names.map(n, n + "!")', 'spec', 'list(string)', ['a!', 'bb!']],
    ['self', 'spec.names[1]', 'string', 'bb'],
    ['self.metadata.name', '', 'string', 'w'],
    ['self.labels', 'spec', 'map(string, string)', { k: 'v' }],
    ['self.at', 'spec', 'google.protobuf.Timestamp', '2020-01-02T03:04:05Z'],
    ['self.data', 'spec', 'bytes', 'aGk='],
    ['has(self.names) ? quantity("1Ki").asInteger() : 0', 'spec', 'int', 1024],
    ['quantity("1Ki")', 'spec', 'kubernetes.Quantity', '1Ki'],
  ])('evaluates %s at %j', async (expression, path, type, value) => {
    const { status, stdout } = await evaluate(expression, '--path', path, '--object', object, '-o', 'json', '--version', 'v1');
    const answer = JSON.parse(stdout) as Answer;
    expect(answer).toMatchObject({ type, objects: [{ value }] });
    expect(answer.objects[0]?.cost).toBeGreaterThan(0);
    expect(status).toBe(0);
  });

  it('shows the same cost and estimate as for the same rule in the definition', async () => {
    const rule = 'self.names.all(n, n.size() < 4)';
    const { spec } = schema.properties;
    const ruled = { type: 'object', properties: { spec: { ...spec, 'x-kubernetes-validations': [{ rule }] } } };
    const withRule = file('ruled.yaml', JSON.stringify(customDefinition({ kind: 'Widget', schema: ruled })));
    const requested = JSON.parse((await evaluate(rule, '--path', 'spec', '--object', object, '-o', 'json')).stdout) as Answer;
    const explain = await runAssay(['explain', withRule, '-o', 'json']);
    const judge = await runAssay(['evaluate', withRule, object, '--field-validation', 'Ignore', '-o', 'json']);
    const { definitions } = JSON.parse(explain.stdout) as { definitions: { rules: { maxCost: string }[] }[] };
    const { items } = JSON.parse(judge.stdout) as { items: { cost: { cel: number } }[] };
    expect(requested.estimate).toBe(definitions[0]?.rules[0]?.maxCost);
    expect(requested.objects[0]?.cost).toBe(items[0]?.cost.cel);
  });

  it('prints type and estimate as text, and also the value if an object is given', async () => {
    expect((await evaluate('self.spec.size > 1')).stdout).toMatch(/^type bool, at most \d+ units by estimate in v1\n$/);
    const { stdout } = await evaluate('self.spec.size > 1', '--object', object);
    expect(stdout).toMatch(/w\.yaml#1: true \(CEL cost \d+\)\ntype bool/);
  });

  it.each([
    ['self.spec.x > 1', [], "compilation failed: ERROR: <input>:1:10: undefined field 'x'\n | self.spec.x > 1\n | .........^\n"],
    ['self >', [], /compilation failed: ERROR: <input>:1:7: Syntax error/],
    ['self', ['--path', 'spec.gone'], /the schema of example\.com\/v1 has no spec\.gone/],
    ['self', ['--path', 'spec[['], /is no path/],
    ['self', ['--version', 'v2'], /the definition serves no version "v2", only v1/],
    ['self.spec.names[7] == ""', ['--object', object], /error: index out of bounds: 7/],
    ['self.spec == self.spec', ['--object', crd], /^type bool/],
    ['oldSelf.spec.size == 1', ['--object', object], /error: no such attribute/],
  ] as const)('prints the result or the error for %s %j', async (expression, more, text) => {
    const { status, stdout } = await evaluate(expression, ...more);
    expect(stdout).toMatch(text);
    expect(status).toBe(stdout.startsWith('type') ? 0 : 1);
  });

  it('needs exactly one definition in --schema', async () => {
    const assay = await runAssay(['eval', 'true', '--schema', object]);
    expect(assay.status).toBe(2);
    expect(assay.stderr).toMatch(/must hold one CustomResourceDefinition, not 0/);
  });

  describe('with --trace', () => {
    const plain = file('plain.json', '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"p"},"spec":{"size":1}}');
    const many = file(
      'many.json',
      `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"m"},"spec":{"labels":{"k":"${'v'.repeat(70_000)}"}}}`,
    );
    const good = file('good.yaml', 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: g}\nspec: {size: 2}\n');
    const traced = (...objects: string[]) => evaluate('self.spec.size > 1', ...objects.flatMap((path) => ['--object', path]), '--trace');

    it('names the engine, the validation path, and the reason against a faster one', async () => {
      const { status, stdout } = await traced(plain, good, object);
      expect(stdout.replaceAll(`${folder}/`, '')).toBe(`plain.json#1: false (CEL cost 4)
  evaluated by the interpreter
  judged by the generated reader, without columns: the object has fewer than 65,536 bytes of JSON
good.yaml#1: true (CEL cost 4)
  evaluated by the interpreter
  judged by the generated reader, without columns, from YAML: the object has fewer than 65,536 bytes of JSON
w.yaml#1: true (CEL cost 4)
  evaluated by the interpreter
  judged by the exact way: the object has an unknown field "spec.unknown"
type bool, at most 4 units by estimate in v1
evaluated by the interpreter for the first 3,000 cost units, then by generated code
`);
      expect(status).toBe(0);
    });

    it('prints the same trace for JSON and YAML', async () => {
      const argv = ['self.spec.size > 1', '--object', many, '--trace'] as const;
      const [json, yaml] = await Promise.all([evaluate(...argv, '-o', 'json'), evaluate(...argv, '-o', 'yaml')]);
      const expected = {
        trace: { engine: 'compiled', interpretedUnits: 3000 },
        objects: [
          { trace: { engine: 'interpreted', judged: { way: 'reader', obstacle: 'the object has no list that can become a column' } } },
        ],
      };
      expect(JSON.parse(json.stdout)).toMatchObject(expected);
      expect(parse(yaml.stdout)).toEqual(JSON.parse(json.stdout));
    });

    it('prints a trace without an object, without a definition, and for an object of another kind', async () => {
      const line = 'evaluated by the interpreter for the first 3,000 cost units, then by generated code\n';
      expect((await traced()).stdout).toMatch(new RegExp(`^type bool.*\n${line}$`));
      expect((await runAssay(['eval', '1 + 1', '--trace'])).stdout).toBe(
        `2 (CEL cost 1)\n  evaluated by the interpreter\ntype int, at most 1 unit by estimate\n${line}`,
      );
      const other = file('other.json', '{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{"name":"o"}}');
      expect((await traced(other)).stdout).toContain('  judged by the exact way: a server rejects the object\n');
    });
  });

  describe('without --schema', () => {
    /** Runs `assay eval` without a definition. Returns the exit status and the output. */
    const alone = (...argv: string[]): Promise<AssayRun> => runAssay(['eval', ...argv]);

    it('gives the value, cost and type of an expression that reads no object', async () => {
      expect(await alone('1 + 1')).toEqual({ status: 0, stdout: '2 (CEL cost 1)\ntype int, at most 1 unit by estimate\n', stderr: '' });
      const { stdout } = await alone('[1, 2].map(self, self * 2)', '-o', 'json');
      expect(JSON.parse(stdout)).toMatchObject({ type: 'list(int)', result: { value: [2, 4] }, objects: [] });
      expect(await alone('1 / 0')).toMatchObject({ status: 1, stdout: expect.stringMatching(/^error: division by zero/) as string });
    });

    it('uses the CEL libraries of the Kubernetes version', async () => {
      expect(await alone('isSemver("1.2.3")')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^true/) as string });
      const older = await alone('isSemver("1.2.3")', '-k', '1.30');
      expect(older).toMatchObject({ status: 1, stdout: expect.stringContaining("undeclared reference to 'isSemver'") as string });
    });

    it.each([
      [['self.spec.size > 1'], /^assay: the expression reads self: --schema FILE names the definition/],
      [['oldSelf == 1'], /^assay: the expression reads oldSelf: --schema FILE/],
      [['1 + 1', '--object', object], /^assay: --object needs --schema/],
      [['1 + 1', '--path', 'spec'], /^assay: --path needs --schema/],
    ])('%j gets a message that the definition is missing', async (argv, text) => {
      const { status, stderr } = await alone(...argv);
      expect(stderr).toMatch(text);
      expect(status).toBe(2);
    });
  });
});
