import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPage, PAGE } from '../scripts/page.mjs';

/**
 * Folder of the page, as the build made it. It is up to date only under `scripts/check.mjs`, which builds the project first. In all other
 * test runs it is undefined.
 */
export const BUILT_PAGE: string | undefined = process.env['ASSAY_BUILT'] === undefined ? undefined : PAGE;

/** Returns the folder of the page as the API serves it. Builds the page into a new folder if the run has no build of the project. */
export async function pageFolder(): Promise<string> {
  if (BUILT_PAGE !== undefined) return BUILT_PAGE;
  const folder = mkdtempSync(join(tmpdir(), 'assay-page-'));
  await buildPage(folder);
  return folder;
}
