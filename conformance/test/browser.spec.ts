import { describe, expect, it } from 'vitest';
import { bundle } from '../src/browser/bundle.ts';
import { findChromium, reportOfPage } from '../src/browser/chromium.ts';
import type { Served } from '../src/browser/chromium.ts';
import type { RecordedReport } from '../src/browser/judge-recorded.ts';
import { recordedLines } from '../src/browser/recorded-lines.ts';
import { webRealm } from '../src/browser/web-realm.ts';
import { sampled, thorough } from '../../testing/thorough.ts';

/**
 * Upper limits of the engine's size in a page, in kilobytes of 1,000 bytes: minified, and minified and compressed with gzip. They are 10 %
 * above the current size.
 */
const MAX_KB = { minified: 1_400, gzip: 375 };
/**
 * Minimum number of recorded cases whose verdicts must be computed in each environment. Other specs compute all of them in Node, so normal
 * runs take a sample.
 */
const MIN_CASES = thorough ? 500 : 75;

/**
 * Source text of the function that compiles generated code from strings. The tests pass the same text to the realm without Node and to the
 * browser. The function works only if the page permits code from strings.
 */
const LINKER = '(parameter, body) => new Function(parameter, body)';
const FORBIDDEN = { engine: 'interpreted', obstacle: 'the host forbids code from strings' };
const UNLINKED = { engine: 'interpreted', obstacle: 'no linker was handed in' };
const GENERATED = { engine: 'compiled', obstacle: null };

const lines = sampled(
  recordedLines()
    .split('\n')
    .filter((line) => line !== ''),
  10,
);
/** Every second of the cases. The browser computes only the verdicts on these, to save time: it starts as a new process and is slow. */
const half = lines.filter((_, i) => i % 2 === 0);
const judge = bundle('conformance/src/browser/judge-recorded.ts', { format: { global: 'recorded' }, minify: true });

function expectExact({ cases, exact, differing, engine, obstacle }: RecordedReport, runs: object): void {
  expect(differing).toEqual([]);
  expect(exact).toBe(cases);
  expect(cases).toBeGreaterThanOrEqual(MIN_CASES);
  expect({ engine, obstacle }).toEqual(runs);
}

describe('the engine without Node', () => {
  it('is one file of limited size', async () => {
    const minified = await bundle('conformance/src/browser/engine.ts', { format: 'es', minify: true });
    const kb = (bytes: number): number => Math.round(bytes / 1000);
    console.info(`the engine in a page: minified ${kb(minified.bytes)} kB, gzip ${kb(minified.gzipBytes)} kB`);
    expect(kb(minified.bytes)).toBeLessThan(MAX_KB.minified);
    expect(kb(minified.gzipBytes)).toBeLessThan(MAX_KB.gzip);
  });

  it.each<[what: string, codeFromStrings: boolean, linker: string, runs: object]>([
    ['by generated code', true, LINKER, GENERATED],
    ['by the interpreter where code from strings is forbidden', false, LINKER, FORBIDDEN],
  ])('gives the recorded verdicts in a realm with only web globals, %s', async (_, codeFromStrings, linker, runs) => {
    const run = webRealm(codeFromStrings);
    run((await judge).code);
    for (const name of ['process', 'Buffer', 'require', 'global', 'setImmediate', 'SharedArrayBuffer'])
      expect(run(`typeof ${name}`)).toBe('undefined');
    const report = run(`JSON.stringify(recorded.judgeRecorded(${JSON.stringify(lines.join('\n'))}, ${linker}))`) as string;
    expectExact(JSON.parse(report) as RecordedReport, runs);
  });

  it('interprets rules if it has no linker', async () => {
    const run = webRealm(true);
    run((await judge).code);
    const report = run(`JSON.stringify(recorded.judgeRecorded(${JSON.stringify(lines.slice(0, 50).join('\n'))}))`) as string;
    expect(JSON.parse(report)).toMatchObject({ cases: 50, exact: 50, ...UNLINKED });
  });
});

const chromium = findChromium();
if (chromium === undefined)
  console.warn('SKIPPED: no Chromium on this machine (Debian: apt-get install chromium); the engine was not run in a browser');

describe.skipIf(chromium === undefined)('the engine in the Chromium browser', () => {
  const html = '<!doctype html><title>Assay</title><script src="/judge.js"></script><script src="/page.js"></script>';
  const page = `
    const tell = (value) => fetch('/report', { method: 'POST', body: JSON.stringify(value) });
    fetch('/cases').then((answer) => answer.text()).then((lines) => {
      const started = performance.now();
      const report = recorded.judgeRecorded(lines, ${LINKER});
      return tell({ ...report, ms: performance.now() - started, browser: navigator.userAgent, shared: typeof SharedArrayBuffer });
    }).catch((error) => tell({ failed: String(error) }));`;

  it.each<[what: string, policy: string, runs: object]>([
    ['by the interpreter under a policy without unsafe-eval', "default-src 'none'; script-src 'self'; connect-src 'self'", FORBIDDEN],
    [
      'by generated code under a policy with unsafe-eval',
      "default-src 'none'; script-src 'self' 'unsafe-eval'; connect-src 'self'",
      GENERATED,
    ],
  ])('gives the recorded verdicts %s', async (_, policy, runs) => {
    const script = 'text/javascript; charset=utf-8';
    const files: Record<string, Served> = {
      '/': { type: 'text/html; charset=utf-8', body: html, policy },
      '/judge.js': { type: script, body: (await judge).code },
      '/page.js': { type: script, body: page },
      '/cases': { type: 'application/x-ndjson', body: half.join('\n') },
    };
    const report = JSON.parse(await reportOfPage(chromium as string, files)) as RecordedReport &
      Record<'browser' | 'ms' | 'shared', unknown>;
    console.info(
      `${String(report.browser)}: ${report.exact} of ${report.cases} exact, ${report.engine}, ${Math.round(Number(report.ms))} ms`,
    );
    expectExact(report, runs);
    expect(report.shared).toBe('undefined');
  });
});
