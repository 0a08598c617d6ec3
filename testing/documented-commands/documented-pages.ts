import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findCommands } from './find-commands.ts';
import type { DocumentedCommand } from './find-commands.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Returns the commands of all documents: the README of the project, the README of the package, and `docs/`. */
export function documentedCommands(): DocumentedCommand[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
  const pages = ['README.md', 'apps/library/README.md', ...docs.sort().map((file) => `docs/${file}`)];
  return pages.flatMap((page) => findCommands(page, readFileSync(join(ROOT, page), 'utf8')));
}
