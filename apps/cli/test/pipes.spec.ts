import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ASSAY as BUNDLE } from './assay-process.ts';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { sampled } from '../../../testing/thorough.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const ASSAY = `${process.execPath} ${BUNDLE}`;

/** Runs a command line in a shell, with real pipes. Returns the exit status and the output. */
function shell(line: string): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const child = spawn('bash', ['-c', `set -o pipefail; ${line}`], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  return new Promise((done) => child.on('close', (status) => done({ status, ...output })));
}

const definition = JSON.stringify(
  customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { size: { type: 'integer' } } } }),
);
const widget = (name: string): string => JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name }, size: 1 });
/**
 * Output in the form of `helm template`: comments that name the source of each document, empty documents, and a separator at the beginning.
 */
const HELM = `---\n# Source: chart/crds/widgets.yaml\n${definition}\n---\n# Source: chart/templates/empty.yaml\n---\n# Source: chart/templates/w.yaml\n${widget('a')}\n`;
/** Output in the form of `kustomize build`. */
const KUSTOMIZE = `${definition}\n---\n${widget('a')}\n---\n${widget('b')}\n`;
/** Shell command that prints a thousand numbered objects, which is more than a pipe can buffer. */
const MANY = `seq 1000 | sed 's|.*|---\\n${widget('w&')}|'`;

describe('standard input', () => {
  // In normal test runs, the spec of named files tests the other forms: a late writer, and a process substitution.
  const forms: readonly (readonly [string, string, RegExp, readonly number[]])[] = [
    ['a file', 'cat examples/rules/*.yaml | ASSAY evaluate -f -', /Summary: /, [0, 1]],
    ['a writer that begins late', `(sleep 1; printf '%s' '${KUSTOMIZE}') | ASSAY evaluate -`, /Summary: 2 objects and 1 definition /, [0]],
    [
      'a writer that pauses inside a document',
      `(printf '%s' '${KUSTOMIZE.slice(0, 90)}'; sleep 1; printf '%s' '${KUSTOMIZE.slice(90)}') | ASSAY evaluate -`,
      /Accepted: 2/,
      [0],
    ],
    ['helm template', `printf '%s' '${HELM}' | ASSAY evaluate -f -`, /Summary: 1 object and 1 definition in.*Accepted: 1/, [0]],
    ['much', `(printf '%s\\n' '${definition}'; ${MANY}) | ASSAY evaluate -f -`, /Accepted: 1,?000/, [0]],
    ['a process substitution', `ASSAY evaluate -f <(sleep 1; printf '%s' '${KUSTOMIZE}')`, /Accepted: 2/, [0]],
    ['a redirected file', 'ASSAY evaluate - < examples/rules/crd.yaml', /Summary: /, [0, 1]],
  ];
  it.each(sampled(forms, 2))('may be %s', async (_, line, text, statuses) => {
    const { status, stdout, stderr } = await shell(line.replace('ASSAY', ASSAY));
    expect(stderr).toBe('');
    expect(stdout).toMatch(text);
    expect(statuses).toContain(status);
  });

  const empty: readonly (readonly [string, string])[] = [
    ['an empty pipe', ': | ASSAY evaluate -f -'],
    ['a writer that closes at once', 'true | ASSAY evaluate -'],
    ['no input at all', 'ASSAY evaluate - < /dev/null'],
  ];
  it.each(sampled(empty, 2))('%s contains no documents', async (_, line) => {
    const { status, stdout, stderr } = await shell(line.replace('ASSAY', ASSAY));
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('assay: no documents were found');
  });

  it('may be the stored objects of a what-if', async () => {
    const file = `<(printf '%s' '${definition}')`;
    const { status, stdout } = await shell(`printf '%s' '${widget('a')}' | ${ASSAY} what-if --from ${file} --to ${file} -`);
    expect(stdout).toContain('1 unaffected');
    expect(status).toBe(0);
  });
});

describe('the modules that the command line loads', () => {
  const bundled = JSON.parse(readFileSync(resolve(ROOT, 'dist/bundled-modules.json'), 'utf8')) as Readonly<Record<string, string[]>>;

  it('include none of OpenTelemetry, of the Redis queue, or of the HTTP service', () => {
    const modules = Object.values(bundled).flat();
    expect(modules.filter((path) => path.includes('/zod/')).length).toBeGreaterThan(0);
    expect(modules.filter((path) => /\/(@opentelemetry|@nestjs|pino|fastify|bullmq|ioredis)\//.test(path))).toEqual([]);
  });

  it('are few for --help, which loads no commands', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-code-'));
    const { status, stdout } = await shell(`NODE_COMPILE_CACHE=${folder} ${ASSAY} --help`);
    expect([status, stdout]).toEqual([0, expect.stringContaining('Usage: assay COMMAND')]);
    // The first line of the code cache file is a JSON list of the files that the command loaded, with their names.
    const stored = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('help.1'));
    expect(stored).toHaveLength(1);
    const [header = ''] = readFileSync(join(folder, stored[0] as string), 'latin1').split('\n', 1);
    const names = (JSON.parse(header) as [string, number][]).map(([name]) => basename(name));
    expect(names).toEqual(expect.arrayContaining(['command-line.cjs', 'read-arguments.cjs']));
    expect(names.filter((name) => /^main|-run\.cjs$/.test(name))).toEqual([]);
  });
});
