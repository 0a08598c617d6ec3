import { describe, expect, it } from 'vitest';
import { compareSemvers, formatSemver, parseLooseSemver, parseSemver } from './semver.ts';
import type { Semver, SemverResult } from './semver.ts';

function version(result: SemverResult): Semver {
  if (!result.ok) throw new Error(result.error);
  return result.version;
}

describe('semantic versions', () => {
  it.each(['1.2.3', '1.2.3-rc.1+build.05', '0.0.0-0', '18446744073709551615.0.0'])('reads and writes %s unchanged', (text) => {
    expect(formatSemver(version(parseSemver(text)))).toBe(text);
  });

  it.each(['', '1', '1.2', 'v1.2.3', '01.2.3', '1.2.3-01', '1.2.3-', '1.2.3+', '1.2.x', '18446744073709551616.0.0'])(
    'rejects %s',
    (text) => {
      expect(parseSemver(text).ok).toBe(false);
    },
  );

  it.each([
    ['v1.2.3', '1.2.3'],
    ['1', '1.0.0'],
    ['01.02', '1.2.0'],
  ])('reads %s loosely as %s', (text, strict) => {
    expect(formatSemver(version(parseLooseSemver(text)))).toBe(strict);
  });

  it('orders versions as semver.org does, without build metadata', () => {
    const ascending = [
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.10.0',
    ];
    const versions = ascending.map((text) => version(parseSemver(text)));
    expect(versions.toReversed().toSorted(compareSemvers)).toEqual(versions);
    expect(compareSemvers(version(parseSemver('1.0.0+a')), version(parseSemver('1.0.0+b')))).toBe(0);
  });
});
