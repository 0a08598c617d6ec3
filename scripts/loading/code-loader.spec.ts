import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { asCommonJs, CodeLoader } from './code-loader.ts';
import { codePath } from './code-folder.ts';
import { CompiledCode } from './compiled-code.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-loader-'));
const core = createRequire(import.meta.url);
let folders = 0;
afterAll(() => rmSync(root, { recursive: true }));

/** Writes the files of a package into a new folder, and returns the folder. */
function packageOf(files: Readonly<Record<string, string>>): string {
  const folder = join(root, `package-${folders++}`);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

describe('the code loader', () => {
  it('loads CommonJS files once, with their imports', () => {
    const folder = packageOf({
      'cli/a.cjs': "const b = require('./chunks/b.cjs'); exports.names = [b.name, require('./chunks/b.cjs') === b, __filename, __dirname];",
      'cli/chunks/b.cjs': "module.exports = { name: require('node:path').basename('/x/b') };",
    });
    const loaded = new CodeLoader(folder, core, undefined).load(join(folder, 'cli/a.cjs'));
    expect(loaded).toEqual({ names: ['b', true, join(folder, 'cli/a.cjs'), join(folder, 'cli')] });
  });

  it('loads ES modules in the form that the bundler produces', async () => {
    const folder = packageOf({
      'lib/entry.js':
        'import{a as b,two}from"./chunks/c.js";import"./chunks/d.js";const load=()=>import(`./late.js`);export{b as one,two,load};',
      'lib/chunks/c.js': 'const x=1;function y(){return 2}export{x as a,y as two};',
      'lib/chunks/d.js': 'globalThis[Symbol.for("assay.loaded")]=`d`;',
      'lib/late.js': 'export{two as also}from"./chunks/c.js";',
    });
    const loaded = new CodeLoader(folder, core, undefined).load(join(folder, 'lib/entry.js'));
    const { one, two, load } = loaded as { one: number; two: () => number; load: () => Promise<{ also: () => number }> };
    expect([one, two(), (globalThis as Record<symbol, unknown>)[Symbol.for('assay.loaded')]]).toEqual([1, 2, 'd']);
    expect((await load()).also).toBe(two);
  });

  it('loads core modules by name, and a module without imports or exports', () => {
    expect(asCommonJs('import{v8 as a}from"node:v8";a();')).toBe('const {v8: a} = require("node:v8");a();');
    expect(asCommonJs('run();')).toBe('run();');
  });

  it('reports errors with their position in the original file', () => {
    const folder = packageOf({ 'a.cjs': "throw new Error('here');" });
    try {
      new CodeLoader(folder, core, undefined).load(join(folder, 'a.cjs'));
      expect.unreachable();
    } catch (error) {
      expect((error as Error).stack).toContain(`${join(folder, 'a.cjs')}:1:7`);
    }
  });
});

describe('the compiled code that the loader stores', () => {
  const files = { 'a.cjs': 'const twice = (n) => n * 2; exports.result = twice(21);' };

  /** Loads the file `a.cjs` like a run of the command line, and returns its exports. */
  function run(folder: string, stored: string): { readonly result: number } {
    const loader = new CodeLoader(folder, core, CompiledCode.read(stored));
    const loaded = loader.load(join(folder, 'a.cjs')) as { readonly result: number };
    loader.store();
    return loaded;
  }

  it('is stored in the first three runs, and used in later runs', () => {
    const folder = packageOf({ ...files, 'b.cjs': 'exports.three = 3;' });
    const stored = join(folder, 'code/version/evaluate');
    const names = [1, 2, 3, 4].map(() => [run(folder, stored), ...readdirSync(join(stored, '..'))]);
    expect(names).toEqual([1, 2, 3, 3].map((n) => [{ result: 42 }, `evaluate.${n}`]));
    const code = CompiledCode.read(stored);
    expect(code.isOpen).toBe(false);
    expect(code.of('a.cjs')?.length).toBeGreaterThan(100);
    expect(code.of('b.cjs')).toBeUndefined();
    // A newly loaded file is added, and the code of files that a run does not load stays.
    const other = new CodeLoader(folder, core, code);
    other.load(join(folder, 'b.cjs'));
    other.store();
    expect(CompiledCode.read(stored).of('b.cjs')).toBeDefined();
    expect(CompiledCode.read(stored).of('a.cjs')).toEqual(code.of('a.cjs'));
  });

  it('is replaced if it is broken or belongs to another source text', () => {
    const folder = packageOf({ ...files, 'code/version/evaluate.3': 'no JSON\n' });
    const stored = join(folder, 'code/version/evaluate');
    expect(run(folder, stored)).toEqual({ result: 42 });
    expect(CompiledCode.read(stored).of('a.cjs')).toBeDefined();
    const old = CompiledCode.read(stored).of('a.cjs');
    writeFileSync(join(folder, 'a.cjs'), 'exports.result = 7;');
    expect(run(folder, stored)).toEqual({ result: 7 });
    expect(CompiledCode.read(stored).of('a.cjs')).not.toEqual(old);
  });

  it('is optional: without a writable folder, a run has the same result', () => {
    const folder = packageOf({ ...files, code: 'a file' });
    expect(run(folder, join(folder, 'code/version/evaluate'))).toEqual({ result: 42 });
  });

  it('is stored for at most eight versions of the program', () => {
    const folder = packageOf(files);
    for (let version = 0; version < 12; version++) run(folder, join(folder, `code/${version}/evaluate`));
    expect(readdirSync(join(folder, 'code'))).toHaveLength(8);
    expect(readdirSync(join(folder, 'code'))).toContain('11');
  });
});

describe('the file of compiled code', () => {
  const path = (argv: string[], env: Readonly<Record<string, string>>, ...flags: string[]): string | undefined =>
    codePath(argv, { build: 'b', flags }, env);

  it('is in a folder of the user, with one file for each command', () => {
    const version = `${process.version}-${process.arch}-b`;
    expect(path(['evaluate', 'x'], { XDG_CACHE_HOME: '/c' })).toBe(join('/c/assay/compiled', version, 'evaluate'));
    expect(path(['evaluate', '-h'], { XDG_CACHE_HOME: '/c' })).toBe(join('/c/assay/compiled', version, 'help'));
    expect(path(['../x'], { NODE_COMPILE_CACHE: '/n', XDG_CACHE_HOME: '/c' })).toBe(join('/n', version, 'other'));
    expect(path([], {})).toContain(join('.cache', 'assay', 'compiled'));
    const withFlags = join('/c/assay/compiled', `${process.version}-${process.arch}-no-opt-max-lazy-b`, 'other');
    expect(path([], { XDG_CACHE_HOME: '/c', NODE_OPTIONS: '--max-lazy' }, '--no-opt')).toBe(withFlags);
  });

  it('does not exist if the user disables it', () => {
    expect(path(['evaluate'], { NODE_DISABLE_COMPILE_CACHE: '1' })).toBeUndefined();
  });
});
