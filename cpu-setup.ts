import { afterAll, expect } from 'vitest';
import { appendFileSync, readFileSync } from 'node:fs';
const read = () => {
  const f = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
  return { self: +f[11]! + +f[12]!, kids: +f[13]! + +f[14]! };
};
const g = globalThis as { __cpu?: { self: number; kids: number } };
const path = expect.getState().testPath;
const start = g.__cpu ?? { self: 0, kids: 0 };
const t0 = Date.now();
afterAll(() => {
  const now = read();
  g.__cpu = now;
  appendFileSync(
    '/tmp/cpu/out-main.tsv',
    `${path}\t${(now.self - start.self) * 10}\t${(now.kids - start.kids) * 10}\t${Date.now() - t0}\n`,
  );
});
