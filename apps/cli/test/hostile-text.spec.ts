import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { AssayProcess } from './assay-process.ts';

const INJECTED = 'x\u001b]0;owned\u0007\u001b[2J\r\n::error file=x,line=1::injected\n##[error]\u202eb';
const folder = mkdtempSync(join(tmpdir(), 'assay-hostile-text-'));
// A file name may hold all but a slash.
const inner = join(folder, 'a\n::error::in a name \u001b[2J');
mkdirSync(inner);

function definition(message: string): object {
  const rules = [
    { rule: 'self.size > 5', message },
    { rule: 'size(self.text) < 1', messageExpression: '"said: " + self.text' },
  ];
  const spec = {
    type: 'object',
    properties: { size: { type: 'integer' }, text: { type: 'string', maxLength: 200 } },
    'x-kubernetes-validations': rules,
  };
  return customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } });
}

const widget = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: INJECTED, labels: { [INJECTED]: INJECTED } },
  spec: { size: 1, text: 'a \u001b[31m::error::b', [INJECTED]: 1 },
};
const write = (name: string, value: unknown): string => {
  const path = join(inner, name);
  writeFileSync(path, JSON.stringify(value));
  return path;
};
const crd = write('crd.json', definition('too \u001b[31m small\u009b2J'));
const changed = write('changed.json', definition('other \u001b[31m'));
write('w.json', widget);
const test = { initial: JSON.stringify(widget), expectedError: 'never said' };
write('w.suite.yaml', { name: INJECTED, crd: 'crd.json', tests: { onCreate: [{ name: INJECTED, ...test }] } });

it.each([
  { argv: ['evaluate', folder] },
  { argv: ['evaluate', folder, '--explain'] },
  { argv: ['explain', folder] },
  { argv: ['matrix', folder] },
  { argv: ['what-if', '--from', crd, '--to', changed, folder] },
  { argv: ['test', folder] },
  { argv: ['evaluate', join(inner, `nothing \u001b[2J`)] },
])('assay $argv.0 commands neither a terminal nor a CI system', async ({ argv }) => {
  const process = new AssayProcess(argv);
  await process.ended;
  const output = process.stdout + process.stderr;
  expect(output).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  expect(output.split('\n').filter((line) => line.trimStart().startsWith('::') || line.includes('##['))).toEqual([]);
  expect(output).toContain('\\u001b');
});
