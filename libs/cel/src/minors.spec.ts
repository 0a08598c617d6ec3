import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MINORS, minorNumber } from '#kube';
import { describe, expect, it } from 'vitest';
import { ledgerProblems } from '../../../testing/ledger-problems.ts';
import { DIFFERENCES, has, offers, releaseOf } from './minors.ts';

/**
 * Expected names of the entries of `DIFFERENCES`, by the minor version that introduced them. A new entry must also be added here, so that
 * no entry is added by accident.
 */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  '28 compatibility': ['optionals'],
  '31 server': ['errorsEndChains', 'optionalTypeIsNamed', 'formatsAreChecked', 'accumulatorIsCopied', 'messageSizeIsUnknown'],
  '31 compatibility': ['keywordFields'],
  '32 server': ['accumulatorsAreLazy', 'libraryEqualityIsFixed', 'oneIsCopied', 'targetIsCopied', 'lineStartsBelong'],
  '32 compatibility': ['twoVariableMacros'],
  '33 server': ['optionalsAreUnwrapped', 'estimatesFollowEntries', 'backTicks', 'codePointsAreChecked', 'accumulatorIsHidden'],
  '34 server': ['nullFieldsAgree', 'intOrStringIsBounded'],
  '34 compatibility': ['sortByMacro'],
  '37 server': [
    'duplicatesCount',
    'setElementsAreValues',
    'keysAreFields',
    'optionalsKeepSchemas',
    'optionalsAreAsked',
    'namesAreCapped',
    'affixTestTraversesArgument',
    'globalMatchesTraverses',
    'quotedIdentifiers',
  ],
  '38 server': [
    'collectionsAreGeneric',
    'copiesLoseSchemas',
    'costsAreModelled',
    'failuresEndCalls',
    'urlPartsHaveSizes',
    'presenceTestsHaveSizes',
    'computedEntriesAreUnbounded',
    'namesAreSuggested',
    'nanPrecedesNothing',
    'typesOfTypesUnify',
  ],
};

/** Source files of this package, except `minors.ts`, the specs, generated files and test helpers. */
const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/\.spec\.ts$|^minors\.ts$|generated|^testing/.test(file))
  .map((file) => ({ file, text: readFileSync(join(import.meta.dirname, file), 'utf8') }));

describe('the list of differences between Kubernetes versions', () => {
  it('contains these entries', () => {
    const found = Map.groupBy(Object.entries(DIFFERENCES), ([, { since, by }]) => `${since} ${by}`);
    const names = Object.fromEntries([...found].map(([key, entries]) => [key, entries.map(([name]) => name).sort()]));
    expect(names).toEqual(Object.fromEntries(Object.entries(EXPECTED).map(([key, entries]) => [key, [...entries].sort()])));
  });

  it('describes for users the effect of each entry', () => expect(ledgerProblems(DIFFERENCES)).toEqual([]));

  it('is the only place in this library that depends on the number of a version', () => {
    const counting = /\bminorNumber\b|_SINCE\b|\bminor\.slice\b/;
    expect(sources.filter(({ text }) => counting.test(text)).map(({ file }) => file)).toEqual([]);
    expect(sources.length).toBeGreaterThan(100);
  });

  it('contains no version after the newest supported one', () => {
    for (const { since } of Object.values(DIFFERENCES)) expect(since).toBeLessThanOrEqual(minorNumber(MINORS.at(-1)!));
  });

  it.each(MINORS)('%s: new expressions are checked with the functions of the version before', (minor) => {
    const [stored, fresh] = [releaseOf(minor), releaseOf(minor, 'new')];
    expect([fresh.server, fresh.compatibility]).toEqual([stored.server, stored.compatibility - 1]);
    expect(has(fresh, 'sortByMacro')).toBe(minorNumber(minor) > DIFFERENCES.sortByMacro.since);
    expect(has(stored, 'sortByMacro')).toBe(minorNumber(minor) >= DIFFERENCES.sortByMacro.since);
    expect(has(fresh, 'duplicatesCount')).toBe(minorNumber(minor) >= DIFFERENCES.duplicatesCount.since);
  });

  it.each([
    [{ since: 34 }, '1.33', 'stored', false],
    [{ since: 34 }, '1.34', 'stored', true],
    [{ since: 34 }, '1.34', 'new', false],
    [{ since: 0, removedIn: 33 }, '1.33', 'stored', false],
    [{ since: 0, removedIn: 33 }, '1.33', 'new', true],
    [{ since: 28, binarySince: '1.33' }, '1.32', 'stored', false],
    [{ since: 28, binarySince: '1.33' }, '1.33', 'new', true],
    [{ since: 28, replacedIn: '1.35' }, '1.35', 'stored', false],
    [{ since: 28, replacedIn: '1.35' }, '1.34', 'stored', true],
  ] as const)('a declaration with the versions %j is available in version %s in %s expressions: %s', (dates, minor, use, available) => {
    expect(offers(releaseOf(minor, use), dates)).toBe(available);
  });
});
