// Bundles the command line and the library if their sources are newer than the last bundle. Specs start the bundle as a process, because a
// start from sources takes seconds.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bundlePackage, COMMAND_LINE } from './bundle.mjs';

const root = join(import.meta.dirname, '..');

function newest(folder) {
  const times = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs);
  return Math.max(...times);
}

/** Builds the bundles if any source file is newer than the bundles. Vitest calls this function before the first spec. */
export async function setup() {
  const changed = Math.max(
    ...['apps/cli/src', 'apps/library/src', 'libs', 'scripts'].map(newest),
    statSync(join(root, 'package-lock.json')).mtimeMs,
  );
  if (!existsSync(COMMAND_LINE) || statSync(COMMAND_LINE).mtimeMs < changed) await bundlePackage();
}
