import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerProblems } from '../../../testing/ledger-problems.ts';
import { MINORS, minorNumber } from './minor.ts';
import { KUBE_DIFFERENCES, kubeHas } from './minors.ts';
import type { KubeChange } from './minors.ts';

/**
 * Expected entries of the table of differences, grouped by the Kubernetes minor version that introduced them. Every new entry must also be
 * added to this list, so that no entry is added by accident.
 */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  32: ['lengthsAreMost', 'oneTooLong'],
  34: ['onesAreSingular', 'errorsAreTerse', 'valuesAreJson'],
  35: ['labelsAreContent'],
  37: ['ownersAreIndexed', 'metadataIsDeclarative'],
  38: ['generationIsKept', 'jsonErrorsShowRunes', 'metadataRulesAreEnforced', 'quantitiesAreBounded'],
};

describe('the list of differences between Kubernetes versions', () => {
  it('contains these entries', () => {
    const found = Map.groupBy(Object.entries(KUBE_DIFFERENCES), ([, { since }]) => String(since));
    const names = Object.fromEntries([...found].map(([since, entries]) => [since, entries.map(([name]) => name).sort()]));
    expect(names).toEqual(Object.fromEntries(Object.entries(EXPECTED).map(([since, entries]) => [since, [...entries].sort()])));
  });

  it('describes the effect of each entry for users', () => expect(ledgerProblems(KUBE_DIFFERENCES)).toEqual([]));

  it('is the only place in this library that compares versions', () => {
    const folder = import.meta.dirname;
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !/\.spec\.ts$|minors?\.ts$|^index\.ts$|^feature-gates/.test(file),
    );
    const counting = /\bminorNumber\b|_SINCE\b|\bminor\.slice\b/;
    expect(sources.filter((file) => counting.test(readFileSync(join(folder, file), 'utf8')))).toEqual([]);
    expect(sources.length).toBeGreaterThan(15);
  });

  it.each(Object.entries(KUBE_DIFFERENCES))('the sentence of %s begins with its version', (change, { since }) => {
    for (const minor of MINORS) expect(kubeHas(minor, change as KubeChange)).toBe(minorNumber(minor) >= since);
  });
});
