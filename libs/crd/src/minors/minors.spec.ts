import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerProblems } from '../../../../testing/ledger-problems.ts';
import { MINORS, minorNumber } from '#kube';
import { CRD_DIFFERENCES, crdHas, SCHEME_LINE_DIFFERENCES } from './minors.ts';
import type { CrdChange } from './minors.ts';

/**
 * Expected entries of `CRD_DIFFERENCES`, by the Kubernetes minor version that introduced them. Each new entry must be added here too, so
 * that no entry is added by accident.
 */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  31: ['statusIsNamed', 'mapKeyErrorsAreSmall', 'nestedClosedMapsAreIgnored', 'bundlesAreChecked', 'oldMessagesAreKept'],
  33: ['statusRatchets', 'storedVersionsHaveHistory'],
  34: ['textsAreBare', 'formatsAreWarned'],
  35: ['scalarsAreShown', 'selectableFieldsRatchet', 'decodingKeepsPaths', 'generationsAreObserved'],
  36: ['numbersAreTyped', 'formatsAreTyped', 'documentationIsStructural'],
  37: ['integersAreRounded', 'setsAreWarned'],
  38: ['shortagesAreTyped'],
};

describe('the list of differences between Kubernetes versions', () => {
  it('contains these entries', () => {
    const found = Map.groupBy(Object.entries(CRD_DIFFERENCES), ([, { since }]) => String(since));
    const names = Object.fromEntries([...found].map(([since, entries]) => [since, entries.map(([name]) => name).sort()]));
    expect(names).toEqual(Object.fromEntries(Object.entries(EXPECTED).map(([since, entries]) => [since, [...entries].sort()])));
  });

  it('describes for users the effect of each entry', () =>
    expect(ledgerProblems({ ...CRD_DIFFERENCES, ...SCHEME_LINE_DIFFERENCES })).toEqual([]));

  it('is the only place in this library that compares versions', () => {
    const folder = join(import.meta.dirname, '..');
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !/\.spec\.ts$|minors?\.ts$|^index\.ts$/.test(file),
    );
    const counting = /\bminorNumber\b|_SINCE\b|\bminor\.slice\b/;
    expect(sources.filter((file) => counting.test(readFileSync(join(folder, file), 'utf8')))).toEqual([]);
    expect(sources.length).toBeGreaterThan(100);
  });

  it.each(Object.entries(CRD_DIFFERENCES))('applies %s from its version on', (change, { since }) => {
    for (const minor of MINORS) expect(crdHas(minor, change as CrdChange)).toBe(minorNumber(minor) >= since);
  });
});
