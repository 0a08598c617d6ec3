// Program of the threads of the bundled command line: loads the engine with the code that V8 compiled in earlier runs.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { getEnvironmentData } from 'node:worker_threads';
import { CodeLoader } from './code-loader.ts';
import { CompiledCode } from './compiled-code.ts';
import { THREAD_CODE } from './thread-code.ts';

const folder = dirname(dirname(import.meta.dirname));
const path = getEnvironmentData(THREAD_CODE);
const loader = new CodeLoader(folder, createRequire(import.meta.url), typeof path === 'string' ? CompiledCode.read(path) : undefined);
process.on('exit', () => loader.store());
loader.load(join(folder, 'lib/thread.js'));
