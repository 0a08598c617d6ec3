#!/usr/bin/env node
// Program of the bundled command line: loads the command line with the code that V8 compiled in earlier runs.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setEnvironmentData } from 'node:worker_threads';
import { CodeLoader } from './code-loader.ts';
import { codePath } from './code-folder.ts';
import { CompiledCode } from './compiled-code.ts';
import { THREAD_CODE } from './thread-code.ts';

/** Text that identifies the files of the package. The bundler defines it. */
declare const BUILD: string;

const argv = process.argv.slice(2);
const folder = dirname(import.meta.dirname);
const path = codePath(argv, { build: BUILD, flags: process.execArgv }, process.env);
if (path !== undefined) setEnvironmentData(THREAD_CODE, `${path}-thread`);
const loader = new CodeLoader(folder, createRequire(import.meta.url), path === undefined ? undefined : CompiledCode.read(path));
// An explicit exit frees no memory, so it is faster than Node's own end. Nothing is left to do or to write at that point.
process.on('beforeExit', () => process.exit());
process.on('exit', () => loader.store());
loader.load(join(folder, 'cli/command-line.cjs'));
