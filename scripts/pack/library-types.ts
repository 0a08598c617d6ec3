import { generateDtsBundle } from 'dts-bundle-generator';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { format } from 'oxfmt';
import type { FormatConfig } from 'oxfmt';

const ROOT = resolve(import.meta.dirname, '../..');
const json = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
/** Folder with the modules that users import. */
const LIBRARY = 'apps/library/src';
/** Declarations of the package besides `index.d.ts`. Their types come from the test runner and from `index.d.ts`. */
const OTHERS = ['testing.d.ts', 'vitest.d.ts'] as const;

/**
 * Returns the type declarations of the published library, by file name. `index.d.ts` contains the types of the inner libraries that the
 * public ones use. Throws an error if a declaration refers to an inner library or to a bundled package.
 */
export async function libraryTypes(): Promise<ReadonlyMap<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-types-'));
  try {
    // The linter already reports the compiler's errors. A check here takes half of the compiler's time.
    const options = ['-p', 'tsconfig.library.json', '--noCheck', '--outDir', folder];
    execFileSync(process.execPath, ['node_modules/ts7/bin/tsc', ...options], { cwd: ROOT, stdio: ['ignore', 2, 2] });
    const written = [['index.d.ts', rolledUp(folder)] as const, ...OTHERS.map((name) => [name, ofIndex(folder, name)] as const)];
    return new Map(await Promise.all(written.map(async ([name, text]) => [name, await checked(name, text)] as const)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Returns the declarations that the index of the library exports, and everything that they use, from a folder of declarations. Bundling takes
 * 12 s of CPU time, so this function caches the text. The check of the docs and the spec of the package need the same text.
 */
function rolledUp(folder: string): string {
  const cached = join(ROOT, 'node_modules/.cache/library-types', `${digestOf(folder)}.d.ts`);
  if (existsSync(cached)) return readFileSync(cached, 'utf8');
  const text = bundled(folder);
  mkdirSync(dirname(cached), { recursive: true });
  writeFileSync(`${cached}.${process.pid}`, text);
  renameSync(`${cached}.${process.pid}`, cached);
  return text;
}

/** Returns a digest of everything that `bundled` depends on: the declarations in the folder, both files of npm, and this file. */
function digestOf(folder: string): string {
  const digest = createHash('sha256');
  for (const file of ['package.json', 'package-lock.json', import.meta.filename]) digest.update(readFileSync(resolve(ROOT, file)));
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted())
    if (name.endsWith('.ts')) digest.update(name).update(readFileSync(join(folder, name)));
  return digest.digest('hex');
}

function bundled(folder: string): string {
  const { imports } = json('package.json') as { readonly imports: Readonly<Record<string, { readonly source: string }>> };
  const declarations = (source: string): string => join(folder, source.replace(/\.ts$/, '.d.ts'));
  const paths = Object.fromEntries(Object.entries(imports).map(([name, { source }]) => [name, [declarations(source)]]));
  const [entry, settings] = [declarations(`${LIBRARY}/index.ts`), join(folder, 'tsconfig.json')];
  const compilerOptions = { target: 'ES2024', module: 'nodenext', lib: ['ES2024'], types: [], strict: true, skipLibCheck: true, paths };
  writeFileSync(settings, JSON.stringify({ compilerOptions, files: [entry] }));
  const bundle = { filePath: entry, output: { noBanner: true, exportReferencedTypes: false } };
  const [text = ''] = generateDtsBundle([bundle], { preferredConfigPath: settings });
  return text;
}

/** Returns declarations that import the types of the other modules from the index. */
const ofIndex = (folder: string, name: (typeof OTHERS)[number]): string =>
  readFileSync(join(folder, LIBRARY, name), 'utf8').replaceAll(/(?<= from '\.\/)([\w-]+)\.ts'/g, (_, module: string) =>
    OTHERS.includes(`${module}.d.ts` as typeof name) ? `${module}.js'` : "index.js'",
  );

/** Returns declarations in the format of the project. Throws an error if they import anything but each other and the test runner. */
async function checked(name: string, text: string): Promise<string> {
  const { code } = await format(name, text, json('.oxfmtrc.json') as FormatConfig);
  const other = /^(?:import|export) [^;*]*? from '((?!\.\/|vitest')[^']+)'|\bimport\('([^']+)'/m.exec(code);
  if (other !== null) throw new Error(`${name}: the library's types refer to ${other[1] ?? other[2]}`);
  const inferred = /^.*\bz\.\w+<.*$/m.exec(code);
  if (inferred !== null) throw new Error(`${name}: the library's types refer to zod: ${inferred[0]}`);
  return code;
}
