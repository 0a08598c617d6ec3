import { describe, expect, it } from 'vitest';
import { isMinor, LATEST_MINOR, MINOR_RANGE, minorNumber, MINORS, minorWords, previewNotice, previewOf, previewsAmong } from './minor.ts';

const PREVIEWS = MINORS.filter((minor) => previewOf(minor) !== undefined);

describe('Kubernetes versions', () => {
  it('are consecutive, and those after the newest release are previews', () => {
    expect(MINORS.map(minorNumber)).toEqual(MINORS.map((_, i) => minorNumber(MINORS[0]) + i));
    expect(PREVIEWS).toEqual(MINORS.slice(MINORS.indexOf(LATEST_MINOR) + 1));
    for (const minor of PREVIEWS) expect(previewOf(minor)?.startsWith(`${minor}.0-`)).toBe(true);
  });

  it('have the name of a pre-release only if they are previews', () => {
    for (const minor of MINORS)
      expect(minorWords(minor)).toBe(PREVIEWS.includes(minor) ? `${minor} (preview of ${previewOf(minor)})` : minor);
    for (const other of ['1.2', '1.99', '', '__proto__']) expect([isMinor(other), minorWords(other)]).toEqual([false, other]);
    expect(MINOR_RANGE).toBe(`${MINORS[0]} … ${minorWords(MINORS.at(-1) ?? '')}`);
  });

  it('have a notice if they include previews', () => {
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
