import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

/** Bundle: one file that a browser can run. */
export interface Bundle {
  readonly code: string;
  /** Size of the file in bytes. `gzipBytes` is the size of the file after compression with gzip. */
  readonly bytes: number;
  readonly gzipBytes: number;
}

/** Options for creating a bundle. */
export interface BundleOptions {
  /**
   * Format of the bundle. `es` is a module with the exports of the entry. With `global`, the bundle is a script (IIFE) that sets a global
   * of this name.
   */
  readonly format: 'es' | { readonly global: string };
  readonly minify: boolean;
}

const ROOT = join(import.meta.dirname, '../../..');

/**
 * Bundles an entry and all its imports for browsers. No import may remain unresolved, so an import of a Node core module is an error.
 *
 * @param entry path of the entry, relative to the root of the project
 */
export async function bundle(entry: string, { format, minify }: BundleOptions): Promise<Bundle> {
  const outputs = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    resolve: { conditions: ['source', 'module', 'browser', 'import', 'default'] },
    build: {
      write: false,
      minify,
      target: 'es2024',
      lib: { entry, formats: [format === 'es' ? 'es' : 'iife'], ...(format !== 'es' && { name: format.global }) },
    },
    plugins: [{ name: 'no-core-modules', enforce: 'pre', resolveId: (id) => (id.startsWith('node:') ? refuse(id) : undefined) }],
  });
  const chunks = [outputs].flat().flatMap((one) => ('output' in one ? one.output : []));
  const [chunk, ...more] = chunks;
  if (chunk?.type !== 'chunk' || more.length > 0 || chunk.imports.length > 0) throw new Error(`${entry} did not become one file`);
  return { code: chunk.code, bytes: Buffer.byteLength(chunk.code), gzipBytes: gzipSync(chunk.code).length };
}

function refuse(id: string): never {
  throw new Error(`${id} is no module of a browser`);
}
