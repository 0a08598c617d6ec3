import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampled } from '../../../testing/thorough.ts';
import { ASSAY, withoutProgress } from './assay-process.ts';

const RULES = 'examples/rules/crd.yaml';
const ROOT = resolve(import.meta.dirname, '../../..');

/** Runs a command whose reader closes the pipe at once. Returns the exit status and the standard error output. */
async function intoClosedPipe(argv: readonly string[]): Promise<{ status: number | null; stderr: string }> {
  const child = spawn(process.execPath, [ASSAY, ...argv], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((done) => child.on('close', (status) => done({ status, stderr: withoutProgress(stderr) })));
}

describe('a command whose output pipe is closed', () => {
  const commands: readonly { readonly argv: readonly string[]; readonly status: number }[] = [
    { argv: ['--help'], status: 0 },
    { argv: ['explain', 'examples/gateway-api'], status: 1 },
    { argv: ['evaluate', '-f', 'examples/gateway-api', '-o', 'json'], status: 1 },
    { argv: ['matrix', RULES], status: 1 },
    { argv: ['test', 'examples/rules', '-o', 'junit'], status: 0 },
    { argv: ['evaluate', RULES, '-o', 'yaml'], status: 0 },
    { argv: ['what-if', '--from', RULES, '--to', RULES, RULES, '-o', 'json'], status: 1 },
  ];
  // A single module of the command line writes all output. A normal test run tests help, and outputs of three kinds.
  it.each(sampled(commands, 2))('assay $argv exits silently with status $status', async ({ argv, status }) => {
    expect(await intoClosedPipe(argv)).toEqual({ status, stderr: '' });
  });
});
