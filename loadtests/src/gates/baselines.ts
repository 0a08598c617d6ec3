import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../places.ts';
import { countDefinitions } from './counted-definitions.ts';
import type { CountedDefinition } from './counted-definitions.ts';
import { countReadings } from './counted-readings.ts';
import type { CountedReading } from './counted-readings.ts';
import { countWork } from './work-done.ts';
import type { CountedWork } from './work-done.ts';

const FOLDER = join(PROJECT, 'loadtests/baselines');
const WORK = join(FOLDER, 'work-done.json');
const READINGS = join(FOLDER, 'readings.json');
const DEFINITIONS = join(FOLDER, 'definitions.json');

/** The work that was counted when the baseline was taken. */
export function workBaseline(): CountedWork[] {
  return JSON.parse(readFileSync(WORK, 'utf8')) as CountedWork[];
}

/** What generated readers judged when the baseline was taken. */
export function readingsBaseline(): CountedReading[] {
  return JSON.parse(readFileSync(READINGS, 'utf8')) as CountedReading[];
}

/** The work of definitions when the baseline was taken. */
export function definitionsBaseline(): CountedDefinition[] {
  return JSON.parse(readFileSync(DEFINITIONS, 'utf8')) as CountedDefinition[];
}

/** Takes what the present code does as the baseline. */
export function writeBaselines(): void {
  writeFileSync(WORK, `${JSON.stringify(countWork(), undefined, 2)}\n`);
  writeFileSync(READINGS, `${JSON.stringify(countReadings(), undefined, 2)}\n`);
  writeFileSync(DEFINITIONS, `${JSON.stringify(countDefinitions(), undefined, 2)}\n`);
}
