import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../places.ts';
import { countWork } from './work-done.ts';
import type { CountedWork } from './work-done.ts';

const FILE = join(PROJECT, 'loadtests/baselines/work-done.json');

/** The work that was counted when the baseline was taken. */
export function workBaseline(): CountedWork[] {
  return JSON.parse(readFileSync(FILE, 'utf8')) as CountedWork[];
}

/** Takes the work of the present code as the baseline. */
export function writeWorkBaseline(): void {
  writeFileSync(FILE, `${JSON.stringify(countWork(), undefined, 2)}\n`);
}
