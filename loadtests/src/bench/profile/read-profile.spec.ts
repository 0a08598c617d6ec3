import { describe, expect, it } from 'vitest';
import { summarizeProfile } from './read-profile.ts';

const frame = (functionName: string, url = '', lineNumber = -1) => ({ functionName, url, lineNumber });

describe('a CPU profile, summarized', () => {
  const profile = {
    nodes: [
      { id: 1, callFrame: frame('(idle)') },
      { id: 2, callFrame: frame('judge', 'file:///srv/libs/judge.js', 6) },
      { id: 3, callFrame: frame('(garbage collector)') },
      { id: 4, callFrame: frame('judge', 'file:///srv/libs/judge.js', 6) },
    ],
    startTime: 1_000_000,
    samples: [2, 1, 2, 3, 4, 2],
    timeDeltas: [1000, 5000, 2000, 4000, 3000, 9000],
  };

  it('adds up what was sampled in the span, by function, without idle time', () => {
    expect(summarizeProfile(profile, 1_002_000, 1_016_000)).toEqual({
      busyMs: 9,
      places: [
        { name: 'judge judge.js:7', ms: 5 },
        { name: '(garbage collector)', ms: 4 },
      ],
    });
  });

  it('tells nothing of a span without samples', () => {
    expect(summarizeProfile(profile, 0, 1)).toEqual({ busyMs: 0, places: [] });
  });
});
