import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { conformanceFile } from '../shared-folder.ts';

/** Returns all recorded cases that are stored in the project, one per line. No case refers to a file. */
export function recordedLines(): string {
  const folder = conformanceFile('golden');
  const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
  return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
}
