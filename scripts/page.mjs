// Builds the page as static files with relative addresses. Its scripts evaluate in the browser.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'vite';
import { gallery } from './gallery.mjs';
import { writeManual } from './manual.mjs';
import { dropUnusedAntlr, loadLate, SERVICE, withoutNode } from './bundle.mjs';

const root = join(import.meta.dirname, '..');

/** Folder from which the API serves the page. */
export const PAGE = join(root, 'dist/page');

const PAGE_SOURCE = join(root, 'apps/page');

/**
 * Content security policy that the page itself contains, for hosts that send no policy. It does not apply to workers, which may run
 * generated code.
 */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'";

/** Returns true if loading a module may have side effects. The project's libraries, ANTLR and zod have none. */
const hasSideEffects = (id) => !/\/(libs|node_modules\/(antlr4ng|zod))\//.test(id);

/**
 * Plugin that treats packages of the service as external. Code that computes verdicts needs none of these packages, so the plugin removes
 * their imports. A script that still imported such a package would fail to start.
 */
const withoutService = {
  name: 'without-service',
  resolveId: (id) => (SERVICE.some((name) => name.test(id)) ? { id, external: true, moduleSideEffects: false } : undefined),
};

/**
 * Builds the page and the manual into a folder, after removing the folder's previous content. Returns the compressed size of each script
 * and style. `alone` builds for a static file host: the page then contains its own policy and works offline after the first visit.
 * `bundled` is the folder of an up-to-date build without `alone`, whose scripts and styles are used again.
 */
export async function buildPage(folder = PAGE, { alone = false, bundled } = {}) {
  if (bundled === undefined) await bundlePage(folder);
  else copyBundles(bundled, folder);
  writeFileSync(join(folder, 'gallery.json'), JSON.stringify(gallery()));
  const asset = (form) => `../assets/${readdirSync(join(folder, 'assets')).find((name) => form.test(name))}`;
  const head = alone ? `<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n` : '';
  writeManual(join(folder, 'manual'), { head, script: asset(/^manual-.*\.js$/), style: asset(/^manual-.*\.css$/) });
  if (alone) standAlone(folder, head);
  compress(folder);
  return sizesOf(folder);
}

/** Copies the scripts, styles and pictures of a build into a folder, with the compressed copies of scripts and styles. */
function copyBundles(build, folder) {
  mkdirSync(folder, { recursive: true });
  const isKept = (file) => basename(file) !== 'manual' && !(dirname(file) === build && file.endsWith('.br'));
  cpSync(build, folder, { recursive: true, filter: isKept });
}

/** Bundles the page into a folder, after removing the folder's previous content. */
async function bundlePage(folder) {
  // These plugins run before Vite's own plugins, because they need the original TypeScript. The table of built-in types stays text, which
  // compresses better.
  const plugins = () => [withoutNode, withoutService, loadLate, dropUnusedAntlr].map((plugin) => ({ ...plugin, enforce: 'pre' }));
  const rolldownOptions = { treeshake: { moduleSideEffects: hasSideEffects }, checks: { pluginTimings: false } };
  await build({
    configFile: false,
    root: PAGE_SOURCE,
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
      // Scripts in data: URLs violate every strict content security policy.
      assetsInlineLimit: 0,
      rolldownOptions: {
        ...rolldownOptions,
        input: { index: join(PAGE_SOURCE, 'index.html'), manual: join(PAGE_SOURCE, 'src/manual/manual.ts') },
      },
    },
  });
}

/**
 * Inserts the content security policy into the page, and adds a service worker that caches the page's files, without pictures other than
 * the icon.
 */
function standAlone(folder, head) {
  const front = join(folder, 'index.html');
  const offline = '<meta name="assay-offline" content="sw.js">\n';
  writeFileSync(front, readFileSync(front, 'utf8').replace(/(<meta charset="utf-8" ?\/?>\n)/, `$1${head}${offline}`));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(png|svg|br)$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .toSorted();
  const digest = createHash('sha256');
  for (const file of files) digest.update(file).update(readFileSync(join(folder, file)));
  const worker = readFileSync(join(PAGE_SOURCE, 'offline/service-worker.js'), 'utf8')
    .replace("['FILES']", JSON.stringify(['./', './manual/', './icon.svg', ...files.map((file) => `./${file}`)]))
    .replace('VERSION', digest.digest('hex').slice(0, 16));
  writeFileSync(join(folder, 'sw.js'), worker);
}

/**
 * Writes a brotli-compressed copy of each text file over 1024 bytes that has no such copy. Hosts send these copies to clients that accept
 * them. Compressing the 3 MB of the manual as much as the scripts takes 7 s instead of 0.2 s, and saves a tenth.
 */
function compress(folder) {
  for (const name of readdirSync(folder, { recursive: true }).filter((name) => /\.(js|css|html|svg|json|md)$/.test(name))) {
    const bytes = readFileSync(join(folder, name));
    const compressed = join(folder, `${name}.br`);
    if (bytes.length <= 1024 || existsSync(compressed)) continue;
    const quality = /^manual\b/.test(name) ? 6 : constants.BROTLI_MAX_QUALITY;
    writeFileSync(compressed, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }));
  }
}

/** Returns the size in bytes of each script and style as the API and most hosts send it: compressed, if it has a compressed copy. */
function sizesOf(folder) {
  const assets = join(folder, 'assets');
  const sent = (name) => (existsSync(join(assets, `${name}.br`)) ? `${name}.br` : name);
  const names = readdirSync(assets).filter((name) => /\.(js|css)$/.test(name));
  return Object.fromEntries(names.map((name) => [name, statSync(join(assets, sent(name))).size]));
}

if (import.meta.main) {
  const sizes = await buildPage();
  for (const [name, bytes] of Object.entries(sizes)) console.log(`${name.padEnd(40)} ${(bytes / 1024).toFixed(1)} KiB`);
}
