import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LATEST_MINOR, minorNumber } from '#kube';
import { expect, it } from 'vitest';
import { ledgerProblems } from '../../../testing/ledger-problems.ts';
import { POLICY_DIFFERENCES } from './minors.ts';

it('the list of differences contains these entries, and none after the latest version', () => {
  expect(Object.fromEntries(Object.entries(POLICY_DIFFERENCES).map(([name, { since }]) => [name, since]))).toEqual({
    costsAreStrict: 32,
    foundTypesAreShown: 32,
    namespacesAreLookedUpTwice: 32,
    denialsAreEvaluations: 32,
    policiesMutate: 32,
    oneKeyIsEnough: 34,
    storedDuplicatesMerge: 35,
    patchLibraryIsNewer: 35,
    nestedLiteralsConvert: 35,
    failuresAreCollected: 37,
    nullsInLiteralsAreForeign: 37,
    unknownParamsAreDeclared: 36,
    bindingsAreSpelled: 32,
    writtenWordsAreShort: 34,
    badValuesAreJson: 34,
    bindingsAreDeclarative: 36,
    reviewsMeetNoWebhooks: 37,
    staticNamesAreWarnedOf: 36,
    staticNamesAreRefused: 37,
  });
  for (const { since } of Object.values(POLICY_DIFFERENCES)) expect(since).toBeLessThanOrEqual(minorNumber(LATEST_MINOR));
});

it('the list of differences describes for users the effect of each entry', () => expect(ledgerProblems(POLICY_DIFFERENCES)).toEqual([]));

it('only minors.ts compares versions, besides the files of built-in/', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /(?<!\.spec)\.ts$/.test(file) && !file.startsWith('built-in/'),
  );
  const counting = files.filter((file) => /\bminorNumber\b|\bminor\.slice\b/.test(readFileSync(join(import.meta.dirname, file), 'utf8')));
  expect(counting).toEqual(['minors.ts']);
});
