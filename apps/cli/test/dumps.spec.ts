import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { runAssay } from '../../../testing/run-assay.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-dumps-'));
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const owned = { uid: '0b1c2d3e-0000-4000-8000-00000000000a', resourceVersion: '48151623', generation: 3 };
const spec = (more: object) => ({
  properties: { spec: { type: 'object', properties: { a: { type: 'string' }, n: { type: 'integer' } }, ...more } },
});
const definition = (more: object, metadata: object = owned): string => {
  const document = customDefinition({ kind: 'Widget', schema: { type: 'object', ...spec(more) } });
  return JSON.stringify({ ...document, metadata: { ...document.metadata, ...metadata }, status: { storedVersions: ['v1'] } });
};
const widget = (name: string, content: object) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, ...owned },
  spec: content,
});
const crd = write('crd.json', definition({}));
const stricter = write('stricter.json', definition({ required: ['n'] }, { ...owned, resourceVersion: '5' }));
const list = write(
  'list.json',
  JSON.stringify({ apiVersion: 'example.com/v1', kind: 'WidgetList', items: [widget('a', { a: 'x' }), widget('b', { n: 1 })] }),
);
const broken = write('broken.yaml', 'kind: CustomResourceDefinition\nspec: [\n');

async function run(...argv: string[]): Promise<{ status: unknown; output: string }> {
  const { status, stdout, stderr } = await runAssay(argv);
  return { status, output: stdout + stderr };
}

describe('objects from a cluster', () => {
  it('are evaluated without the fields that a server owns, and one message reports that', async () => {
    const { status, output } = await run('evaluate', crd, list);
    expect(output).toContain('Accepted: 2');
    expect(output.match(/Note: 3 documents have a resourceVersion/g)).toHaveLength(1);
    expect(status).toBe(0);
  });

  it('are evaluated unchanged with --as-sent', async () => {
    const { status, output } = await run('evaluate', crd, list, '--as-sent');
    expect(output).toContain('resourceVersion should not be set on objects to be created');
    expect(output).not.toContain('Note:');
    expect(status).toBe(1);
  });

  it('are skipped if their definition is missing, and are an error with --strict-kinds', async () => {
    const deployment = write('deployment.json', JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' } }));
    const strict = await run('evaluate', crd, list, deployment, '--strict-kinds');
    expect(strict.output).toContain('Deployment "d" not evaluated');
    expect(strict.status).toBe(1);
    const { status, output } = await run('evaluate', crd, list, deployment);
    expect(output).toContain('Accepted: 2, Refused: 0, Not evaluated: 0, Skipped: 1');
    expect(output).not.toContain('Deployment');
    expect(status).toBe(0);
  });

  it('are evaluated as updates of the objects in --old', async () => {
    const rule = { 'x-kubernetes-validations': [{ rule: 'self.n >= oldSelf.n', message: 'n never falls' }] };
    const ruled = write('ruled.json', definition(rule));
    const before = write(
      'before.yaml',
      `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: b, uid: earlier, resourceVersion: '5'}\nspec: {n: 2}\n`,
    );
    const alone = await run('evaluate', ruled, list);
    expect(alone.output).toContain('Accepted: 2');
    const { status, output } = await run('evaluate', ruled, list, '--old', before);
    expect(output).toContain('Accepted: 1, Refused: 1');
    expect(output).toContain('n never falls');
    expect(status).toBe(1);
  });

  it.each(['evaluate', 'matrix'])('are rejected by %s if they have a version that their definition does not serve', async (command) => {
    const unserved = write('unserved.json', definition({}).replace('"served":true', '"served":false'));
    const { status, output } = await run(command, unserved, list);
    expect(output).toContain('no matches for kind "Widget" in version "example.com/v1"');
    expect(status).toBe(1);
  });

  it('can be given to assay explain', async () => {
    expect((await run('explain', crd, list)).status).toBe(0);
  });
});

describe('assay what-if', () => {
  it('accepts a dump of the same definition as a change of the definition', async () => {
    const { status, output } = await run('what-if', '--from', crd, '--to', crd, list);
    expect(output).toContain('is admitted');
    expect(output).toContain('2 objects: 2 unaffected');
    expect(status).toBe(0);
  });

  it('reports the objects that the new definition rejects at their next change, with the error', async () => {
    const { status, output } = await run('what-if', '--from', crd, '--to', stricter, list);
    expect(output).toContain('spec.n: Required value (1 object at the next change)');
    expect(output).toMatch(/"a" breaks on the next change: an update is refused\n {6}such as spec\.a: "x" → /);
    expect(status).toBe(1);
  });

  it.each([
    ['brokenOnUpdate', 0],
    ['brokenOnUpdate,breaksOnNextChange', 1],
    ['mended', 0],
  ])('with --fail-on %s exits with status %i', async (effects, wanted) => {
    expect((await run('what-if', '--from', crd, '--to', stricter, list, '--fail-on', effects)).status).toBe(wanted);
  });

  it('reports objects that the new definition makes valid, with their earlier errors', async () => {
    const { status, output } = await run('what-if', '--from', stricter, '--to', crd, list, '--fail-on', 'mended');
    expect(output).toMatch(/"a" mended\n {6}.*spec\.n: Required value/);
    expect(status).toBe(1);
  });

  it('fails if no object could be evaluated', async () => {
    const { status, output } = await run('what-if', '--from', crd, '--to', crd, broken, '--fail-on', 'brokenOnUpdate');
    expect(output).toContain('No object could be judged');
    expect(status).toBe(1);
  });

  it('rejects a word in --fail-on that names no effect', async () => {
    const { status, output } = await run('what-if', '--from', crd, '--to', crd, list, '--fail-on', 'everything');
    expect(output).toContain('everything: must be among unaffected, brokenOnUpdate');
    expect(status).toBe(2);
  });
});

it('assay explain reports unreadable YAML like assay evaluate', async () => {
  const [explained, evaluated] = await Promise.all([run('explain', broken), run('evaluate', broken)]);
  const error = /yaml: line \d+: [^\n]*/.exec(evaluated.output)?.[0] ?? 'none';
  expect(explained.output).toContain(error);
  expect(explained.status).toBe(1);
});
