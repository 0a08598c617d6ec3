import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { HOST_FLAGS } from './supervised-host.ts';

/** Script that compiles functions without keeping references to them, and prints the growth of the heap in bytes. */
const SCRIPT = `
  const { compileFunction } = require('node:vm');
  const used = () => { for (let i = 0; i < 12; i++) gc(); return process.memoryUsage().heapUsed; };
  const compile = (n) => compileFunction('return function rule(self) { return self.size + ' + n + '; };', ['K'])([])({});
  for (let n = 0; n < 1000; n++) compile(n);
  const before = used();
  for (let n = 1000; n < 21000; n++) compile(n);
  console.log(used() - before);`;

it('with the flags of an engine host, the runtime releases generated code that is no longer used', () => {
  const { stdout, stderr } = spawnSync(process.execPath, [...HOST_FLAGS, '--expose-gc', '-e', SCRIPT], { encoding: 'utf8' });
  expect(stderr).toBe('');
  // With V8's compilation cache, the number would be about 25 MB.
  expect(Number(stdout)).toBeLessThan(5_000_000);
});
