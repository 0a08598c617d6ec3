import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../places.ts';
import { countDefinitions } from './counted-definitions.ts';
import { countReadings } from './counted-readings.ts';
import { countWork } from './work-done.ts';

/** Functions that count work, by the name of their baseline. The functions use no clock, so the counts are the same on every machine. */
const COUNTS = { 'work-done': () => countWork(), readings: () => countReadings(), definitions: () => countDefinitions() };

const fileOf = (name: string): string => join(PROJECT, 'loadtests/baselines', `${name}.json`);

/** Reads the stored counts of a baseline. */
export const baselineOf = <Name extends keyof typeof COUNTS>(name: Name): ReturnType<(typeof COUNTS)[Name]> =>
  JSON.parse(readFileSync(fileOf(name), 'utf8')) as ReturnType<(typeof COUNTS)[Name]>;

/** Stores the counts of the current code as the new baselines. */
export function writeBaselines(): void {
  for (const [name, count] of Object.entries(COUNTS)) writeFileSync(fileOf(name), `${JSON.stringify(count(), undefined, 2)}\n`);
}
