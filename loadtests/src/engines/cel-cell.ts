import { CEL_CASES } from './cel-cases.ts';
import type { Cell } from './cel-cases.ts';
import { ENGINES } from './cel-engines.ts';
import type { EngineName, LoadedCase } from './cel-engines.ts';
import { stepsOf } from './measure-engines.ts';

/** Times one engine on one case, in a process of its own so that no engine's type feedback slows another. Prints one JSON line per size. */
const [engine, name, sizes, milliseconds] = process.argv.slice(2);
const test = CEL_CASES.find((candidate) => candidate.name === name);
if (!test || !engine || !sizes || !(engine in ENGINES)) throw new Error('usage: cel-cell ENGINE CASE SIZES MILLISECONDS');
const budgetMs = Number(milliseconds);
/** An engine that is expected to need longer than this for one run is not tried at larger sizes. */
const CAP_MS = 8000;
/** Runs longer than this are taken by CPU time. */
const COARSE_MS = 2;
/** Spans of time of which each fastest run is told. */
const SPANS = 5;

let predictedMs = 0;
for (const size of sizes.split(',').map(Number)) {
  if (predictedMs > CAP_MS) break;
  try {
    const loaded = await ENGINES[engine as EngineName](test, size);
    // The first span warms up, and is told if it holds one slow run alone.
    const { best, cost } = fastest(loaded, budgetMs);
    const bests = best < budgetMs ? Array.from({ length: SPANS }, () => fastest(loaded, budgetMs / SPANS).best) : [best];
    print({ size, ns: bests.map((ms) => (ms * 1e6) / stepsOf(test, size)), cost });
    predictedMs = Math.min(...bests) * (test.nested ? 10 : 5);
  } catch {
    // An engine that cannot do it has no figure.
    print({ size, ns: [] });
  }
}

/** Returns the fastest of the runs in a span of time, ms, and the cost of the last. */
function fastest(loaded: LoadedCase, spanMs: number): { readonly best: number; readonly cost: number | undefined } {
  let best = Number.POSITIVE_INFINITY;
  let cost: number | undefined;
  for (const until = performance.now() + spanMs; performance.now() < until || best === Number.POSITIVE_INFINITY;) {
    const cpu = process.cpuUsage();
    const started = performance.now();
    const result = loaded.run();
    const wall = performance.now() - started;
    const { user, system } = process.cpuUsage(cpu);
    // CPU time is less disturbed by other processes, but too coarse for short runs.
    best = Math.min(best, wall > COARSE_MS ? (user + system) / 1000 : wall);
    if (!result.verdict) throw new Error('the rule is false');
    cost = result.cost;
  }
  return { best, cost };
}

function print(cell: Cell): void {
  process.stdout.write(`${JSON.stringify(cell)}\n`);
}
