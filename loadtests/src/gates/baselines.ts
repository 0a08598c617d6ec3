import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../places.ts';
import { countDefinitions } from './counted-definitions.ts';
import { countReadings } from './counted-readings.ts';
import { countWork } from './work-done.ts';

/** Counts by the names of their baselines. They use no clock, so they are the same everywhere. */
const COUNTS = { 'work-done': () => countWork(), readings: () => countReadings(), definitions: () => countDefinitions() };

const fileOf = (name: string): string => join(PROJECT, 'loadtests/baselines', `${name}.json`);

/** Returns what was counted when the baseline was taken. */
export const baselineOf = <Name extends keyof typeof COUNTS>(name: Name): ReturnType<(typeof COUNTS)[Name]> =>
  JSON.parse(readFileSync(fileOf(name), 'utf8')) as ReturnType<(typeof COUNTS)[Name]>;

/** Takes what the present code does as the baseline. */
export function writeBaselines(): void {
  for (const [name, count] of Object.entries(COUNTS)) writeFileSync(fileOf(name), `${JSON.stringify(count(), undefined, 2)}\n`);
}
