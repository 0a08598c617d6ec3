import { describe, expect, it } from 'vitest';
import { redisOnPath } from '../../../testing/redis-server.ts';
import { thorough } from '../../../testing/thorough.ts';
import { FAMILIES } from './families.ts';
import { faultsOf } from './judge-answer.ts';
import { leftBehind } from './held.ts';
import { Random } from './random.ts';
import { failuresOf, runAttacks } from './run-attacks.ts';

/**
 * Number of attacks from which a test run sends one. A normal run attacks only a service of the shape `embedded`. A thorough run attacks
 * services of all shapes, with each family of attacks on one shape.
 */
const ONE_IN = thorough ? 3 : 30;
const SHAPES = thorough ? (['embedded', 'keyed', 'fleet'] as const) : (['embedded'] as const);

describe('attack requests', () => {
  it('are at least 400, and the same for the same seed', () => {
    const names = (seed: number): string[] => FAMILIES.flatMap(({ attacks }) => attacks(new Random(seed)).map(({ name }) => name));
    expect(names(1).length).toBeGreaterThanOrEqual(400);
    expect(names(1)).toEqual(names(1));
  });

  it('do not harm a service, and get the expected responses', async () => {
    const reports = await runAttacks({ families: FAMILIES, shapes: SHAPES, seed: 1, oneIn: ONE_IN, say: () => undefined });
    const expected = FAMILIES.filter(({ shapes: [first] }) =>
      SHAPES.some((shape) => shape === first && (shape !== 'fleet' || redisOnPath())),
    );
    expect(reports).toHaveLength(expected.length);
    expect(reports.flatMap((report) => failuresOf(report).map((failure) => `${report.shape} ${report.family}: ${failure}`))).toEqual([]);
  });
});

describe('the check of responses to attacks', () => {
  const headers = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'",
  };
  const status = (message: string, code = 400): string => JSON.stringify({ kind: 'Status', code, message });
  it.each([
    ['a right refusal', [400], { code: 400, headers, body: status('bad') }, 0],
    ['a code that is not right', [413], { code: 400, headers, body: status('bad') }, 1],
    ['nothing in time', [400], { code: -1, headers: {}, body: '' }, 1],
    ['an end without answer where that is right', [0, 400], { code: 0, headers: {}, body: '' }, 0],
    ['no security headers', [200], { code: 200, headers: {}, body: '' }, 1],
    ['a refusal that is no Status', [400], { code: 400, headers, body: '{"error":"Bad Request"}' }, 1],
    ['a Status of another code', [400], { code: 400, headers, body: status('bad', 500) }, 1],
    ['a stack', [400], { code: 400, headers, body: status('at Object.read (/app/dist/a.js:3:1)') }, 1],
  ])('finds %s', (_, codes, answer, faults) => {
    expect(faultsOf({ codes }, { ...answer, isCut: false })).toHaveLength(faults);
  });
});

describe('the resources of attacked processes', () => {
  const held = { name: 'API', processId: 1, mb: 100, files: 30, threads: 12 };
  it('may grow a little; more growth and a process that ended are reported', () => {
    expect(leftBehind([held], [{ ...held, mb: 200, files: 35 }])).toEqual([]);
    expect(leftBehind([held], [{ ...held, mb: 600 }])).toEqual(['API: 100 mb at first, 600 now']);
    expect(leftBehind([held], [{ ...held, processId: 2 }])).toEqual(['API (1) ended']);
  });
});
