import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

/** One file that a browser runs. */
export interface Bundle {
  readonly code: string;
  /** Bytes of the file, and of what a server sends of it. */
  readonly bytes: number;
  readonly gzipBytes: number;
}

/** The options for making a bundle. */
export interface BundleOptions {
  /** `es`: a module with the entry's exports. `iife`: a script that sets a global of this name. */
  readonly format: 'es' | { readonly global: string };
  readonly minify: boolean;
}

const ROOT = join(import.meta.dirname, '../../..');

/**
 * Bundles an entry and all that it imports for browsers, with nothing left to resolve: a core module of Node is an error.
 *
 * @param entry path from the top of the project
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
