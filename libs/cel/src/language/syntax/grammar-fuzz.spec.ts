import { LATEST_MINOR } from '#kube';
import { expect, it } from 'vitest';
import { thorough } from '../../../../../testing/thorough.ts';
import { environmentFor } from '../environment.ts';
import { compile } from '../../testing/compile-fixture.ts';
import { HostileTexts } from '../../testing/hostile-texts.ts';
import { RANDOM_SCHEMA } from '../../testing/random-expressions.ts';
import type { Minor } from '#kube';

/** Number of random texts. For longer runs, set CEL_GRAMMAR_FUZZ to another number and CEL_GRAMMAR_FUZZ_SEED to another seed. */
const TEXTS = Number(process.env['CEL_GRAMMAR_FUZZ'] ?? (thorough ? 1_500 : 400));
const SEED = Number(process.env['CEL_GRAMMAR_FUZZ_SEED'] ?? 20260722);
/** Maximum CPU time for one text, in ms. It is generous because other programs may run on the machine. */
const MAX_MS = 3_000;
const MINORS: readonly Minor[] = [LATEST_MINOR, '1.30', LATEST_MINOR, '1.34'];

/** Returns the CPU time of the process so far, in ms. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

it(`each of ${TEXTS} hostile texts quickly gives a program or an error`, { timeout: 7_200_000 }, () => {
  const texts = new HostileTexts(SEED);
  const problems: string[] = [];
  const outcomes = { program: 0, syntax: 0, other: 0 };
  let longest = 0;
  for (let n = 0; n < TEXTS && problems.length < 10; n++) {
    const text = texts.next();
    const environment = environmentFor(MINORS[n % MINORS.length]!, n % 3 === 0 ? 'new' : 'stored');
    const started = cpuMs();
    try {
      const compiled = compile(text, RANDOM_SCHEMA, { environment, engine: 'compiled', oldSelf: n % 2 === 0 ? 'plain' : 'optional' });
      if (compiled.ok) outcomes.program++;
      else outcomes[compiled.error.includes('Syntax error') ? 'syntax' : 'other']++;
    } catch (thrown) {
      problems.push(`${String(thrown)}: ${JSON.stringify(text.slice(0, 300))} (${text.length})`);
    }
    const spent = cpuMs() - started;
    if (spent > MAX_MS) problems.push(`${spent.toFixed(0)} ms: ${JSON.stringify(text.slice(0, 300))} (${text.length})`);
    longest = Math.max(longest, spent);
  }
  expect(problems).toEqual([]);
  // The texts must reach each outcome of the compiler.
  expect(Math.min(outcomes.program, outcomes.syntax, outcomes.other)).toBeGreaterThan(TEXTS / 50);
  if (process.env['CEL_GRAMMAR_FUZZ'] !== undefined) console.info(`longest ${longest.toFixed(0)} ms`, outcomes);
});
