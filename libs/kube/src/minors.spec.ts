import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerProblems } from '../../../testing/ledger-problems.ts';
import {
  isMinor,
  KUBE_DIFFERENCES,
  kubeHas,
  LATEST_MINOR,
  MINOR_RANGE,
  minorNumber,
  MINORS,
  minorWords,
  previewNotice,
  previewOf,
  previewsAmong,
} from './minors.ts';
import type { KubeChange } from './minors.ts';

const PREVIEWS = MINORS.filter((minor) => previewOf(minor) !== undefined);

describe('Kubernetes versions', () => {
  it('are consecutive, and those after the newest release are previews', () => {
    expect(MINORS.map(minorNumber)).toEqual(MINORS.map((_, i) => minorNumber(MINORS[0]) + i));
    expect(PREVIEWS).toEqual(MINORS.slice(MINORS.indexOf(LATEST_MINOR) + 1));
    for (const minor of PREVIEWS) expect(previewOf(minor)?.startsWith(`${minor}.0-`)).toBe(true);
  });

  it('have a name of a pre-release only if they are previews', () => {
    for (const minor of MINORS)
      expect(minorWords(minor)).toBe(PREVIEWS.includes(minor) ? `${minor} (preview of ${previewOf(minor)})` : minor);
    for (const other of ['1.2', '1.99', '', '__proto__']) expect([isMinor(other), minorWords(other)]).toEqual([false, other]);
    expect(MINOR_RANGE).toBe(`${MINORS[0]} … ${minorWords(MINORS.at(-1) ?? '')}`);
  });

  it('get a notice if a list of versions includes previews', () => {
    const released = MINORS.filter((minor) => !PREVIEWS.includes(minor));
    expect([previewsAmong(released), previewNotice(released)]).toEqual([undefined, undefined]);
    for (const minor of PREVIEWS) {
      expect(previewsAmong([LATEST_MINOR, minor])).toEqual({ [minor]: previewOf(minor) });
      expect(previewNotice([LATEST_MINOR, minor])).toBe(
        `${minor} is a preview of ${previewOf(minor)}: texts and costs may change until the release`,
      );
    }
  });
});

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

  it('describes for users the effect of each entry', () => expect(ledgerProblems(KUBE_DIFFERENCES)).toEqual([]));

  it('is the only place in this library that compares versions', () => {
    const folder = import.meta.dirname;
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !/\.spec\.ts$|minors?\.ts$|^index\.ts$|^feature-gates/.test(file),
    );
    const counting = /\bminorNumber\b|_SINCE\b|\bminor\.slice\b/;
    expect(sources.filter((file) => counting.test(readFileSync(join(folder, file), 'utf8')))).toEqual([]);
    expect(sources.length).toBeGreaterThan(15);
  });

  it.each(Object.entries(KUBE_DIFFERENCES))('applies %s from its version on', (change, { since }) => {
    for (const minor of MINORS) expect(kubeHas(minor, change as KubeChange)).toBe(minorNumber(minor) >= since);
  });
});
