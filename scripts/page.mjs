// Builds the page: scripts that judge in the browser, as static files with relative addresses.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { deflateTable, dropUnusedAntlr, dropUnusedZod, loadLate, SERVICE, withoutNode } from './bundle.mjs';

const root = join(import.meta.dirname, '..');

/** Where the API looks for the page. */
export const PAGE = join(root, 'dist/page');

/** Our libraries do nothing but define when they are loaded, and so does ANTLR. */
const hasSideEffects = (id) => !/\/(libs|node_modules\/(antlr4ng|zod))\//.test(id);

/** Nothing that judges needs these: what imports them is dropped, and a script that still did would not start. */
const withoutService = {
  name: 'without-service',
  resolveId: (id) => (SERVICE.some((name) => name.test(id)) ? { id, external: true, moduleSideEffects: false } : undefined),
};

/** Builds the page into a folder; what was there is dropped. Says what each script weighs, compressed. */
export async function buildPage(folder = PAGE) {
  // Before Vite's own plugins: they look at TypeScript as it was written.
  const plugins = () =>
    [withoutNode, withoutService, loadLate, dropUnusedAntlr, deflateTable, dropUnusedZod].map((plugin) => ({ ...plugin, enforce: 'pre' }));
  const rolldownOptions = { treeshake: { moduleSideEffects: hasSideEffects } };
  await build({
    configFile: false,
    root: join(root, 'apps/page'),
    base: './',
    logLevel: 'warn',
    plugins: plugins(),
    resolve: { conditions: ['source', 'import', 'module', 'browser', 'default'] },
    worker: { format: 'es', plugins, rolldownOptions },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2023',
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 4096,
      // A script in a data: address is what no strict policy allows.
      assetsInlineLimit: 0,
      rolldownOptions,
    },
  });
  compress(folder);
  return sizesOf(folder);
}

/** Writes each text a second time, compressed as well as that goes: hosts send these where they can. */
function compress(folder) {
  for (const name of readdirSync(folder, { recursive: true }).filter((name) => /\.(js|css|html|svg|json|md)$/.test(name))) {
    const bytes = readFileSync(join(folder, name));
    if (bytes.length > 1024) writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
  }
}

/** Bytes of each script and style, compressed by gzip. */
export function sizesOf(folder) {
  const assets = join(folder, 'assets');
  return Object.fromEntries(
    readdirSync(assets)
      .filter((name) => /\.(js|css)$/.test(name))
      .map((name) => [name, gzipSync(readFileSync(join(assets, name)), { level: 9 }).length]),
  );
}

if (import.meta.main) {
  const sizes = await buildPage();
  for (const [name, bytes] of Object.entries(sizes)) console.log(`${name.padEnd(40)} ${(bytes / 1024).toFixed(1)} KiB`);
}
