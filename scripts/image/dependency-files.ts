import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { folderFiles } from './folder-files.ts';
import type { LayerEntry } from './layer.ts';

/** Schema of package-lock.json. Its entries are indexed by path below the project's folder. */
const LockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      dev: z.boolean().optional(),
      optional: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      link: z.boolean().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      license: z.string().optional(),
    }),
  ),
});

/**
 * Package of the lock file, with its folder (`node_modules/…`). A link to a package of this project has a `target` below the project's
 * folder. A package that is not a link has a version.
 */
export interface LockedPackage {
  path: string;
  version?: string | undefined;
  integrity?: string | undefined;
  license?: string | undefined;
  target?: string | undefined;
}

/** Returns the packages that the service needs in production. `npm prune --omit=dev --omit=optional` would keep the same packages. */
export function productionPackages(root: string): LockedPackage[] {
  const lock = LockFile.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  return Object.entries(lock.packages).flatMap(([path, { version, dev, optional, devOptional, link, resolved, integrity, license }]) => {
    if (!path.startsWith('node_modules/') || dev || optional || devOptional) return [];
    return [{ path, version, integrity, license, target: link ? resolved : undefined }];
  });
}

/**
 * Returns the files of the production packages below `root`, with their paths in the image below `at`. Throws if the installed packages
 * differ from the lock file, because the image's list of parts would then be wrong.
 */
export function dependencyFiles(root: string, at: string): LayerEntry[] {
  return productionPackages(root).flatMap(({ path, version, target }): LayerEntry[] => {
    if (target !== undefined)
      return [{ path: `${at}/${path}`, kind: 'link', target: `${'../'.repeat(path.split('/').length - 1)}${target}` }];
    const manifest = join(root, path, 'package.json');
    const installed = existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version : 'missing';
    if (installed !== version) throw new Error(`${path} is ${installed}, and package-lock.json names ${version}: run npm ci`);
    return folderFiles(join(root, path), `${at}/${path}`, ['node_modules']);
  });
}
