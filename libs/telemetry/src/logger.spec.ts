import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** Program that logs 20 MB over several turns of the event loop, then writes `went on` to stdout, and ends after it reads from stdin. */
const PROGRAM = `
import { stderrLog } from ${JSON.stringify(new URL('logger.ts', import.meta.url).href)};
const log = stderrLog();
for (let i = 0; i < 20_000; i++) {
  log.warn({ filler: 'x'.repeat(1000) }, 'a line');
  if (i % 100 === 0) await new Promise(setImmediate);
}
process.stdout.write('went on');
process.stdin.once('data', () => {
  log.warn({}, 'the last line');
  process.stdin.destroy();
});
`;

it('if nobody reads the log, the process is not blocked, uses limited memory, and later reports how many lines are missing', async () => {
  const args = ['--conditions=source', '--input-type=module', '--eval', PROGRAM];
  const child = spawn(process.execPath, args, { cwd: fileURLToPath(new URL('.', import.meta.url)), stdio: 'pipe' });
  // Nobody reads stderr yet.
  const [went] = (await once(child.stdout, 'data')) as [Buffer];
  expect(went.toString()).toBe('went on');
  let text = '';
  child.stderr.on('data', (block: Buffer) => (text += block.toString()));
  while (!text.includes('log lines were dropped')) await once(child.stderr, 'data');
  child.stdin.write('end');
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code).toBe(0);
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly msg: string; readonly lines?: number });
  const dropped = lines.find(({ msg }) => msg.startsWith('log lines were dropped'))?.lines ?? 0;
  expect(lines.filter(({ msg }) => msg === 'a line').length + dropped).toBe(20_000);
  expect(text.length).toBeLessThan(3 * 1024 * 1024);
  expect(lines.at(-1)?.msg).toBe('the last line');
});

it("the last lines of a process are written in order, even if the runtime's file threads are busy", async () => {
  const program = `
    import { pbkdf2 } from 'node:crypto';
    import { stderrLog } from ${JSON.stringify(new URL('logger.ts', import.meta.url).href)};
    const log = stderrLog();
    for (let i = 0; i < 8; i++) pbkdf2('a', 'b', 20_000, 64, 'sha512', () => undefined);
    log.info({}, 'first');
    log.info({}, 'last');
    await log.written();
    process.exit(0);`;
  const child = spawn(process.execPath, ['--conditions=source', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const chunks: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  const lines = Buffer.concat(chunks).toString().trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['first', 'last']);
});
