import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Names of the project and of its published package, which scripts/pack.mjs creates. */
const NAMES: readonly unknown[] = ['assay', '@assay-dev/assay'];

/**
 * Returns the version of Assay from its `package.json`; `unknown` if no `package.json` of Assay is found. A single executable contains its
 * `package.json`.
 */
export function packageVersion(): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    const { name, version }: { name?: unknown; version?: unknown } = existsSync(file)
      ? (JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown; version?: unknown })
      : {};
    if (NAMES.includes(name) && typeof version === 'string') return version;
  }
  return 'unknown';
}
