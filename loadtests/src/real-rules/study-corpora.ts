import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { PlacedFindings } from '#benchmark';
import { checkOptions, definitionText, serverOf } from '#evaluation';
import { EngineThreads } from '#runner';
import { studyDefinitions } from '#service';
import { PROJECT } from '../places.ts';

/** The findings about one rule of a real definition, as far as the published study needs them. */
export interface RealRule {
  /** `widgets.example.com` */
  readonly definition: string;
  readonly rule: string;
  /** The estimate for an object, cost units; undefined if there is none. */
  readonly estimate: number | undefined;
  /** The steepest growth of cost; undefined if it grows with nothing. */
  readonly growth:
    { readonly field: string; readonly unit: string; readonly exponent: number; readonly near: string | undefined } | undefined;
  /** The dearest write that was found; undefined if none was. */
  readonly dearest: { readonly cost: number; readonly end: 'accepted' | 'call' | 'object' } | undefined;
  /** One evaluation in that write by the compiled engine; undefined if it costs too little to tell, or there was no time. */
  readonly time: { readonly ms: number; readonly nsPerUnit: number; readonly timesMedian: number } | undefined;
  readonly notStudied: string | undefined;
}

/** Settings of a study of many definitions. */
export interface CorporaSettings {
  readonly files: readonly string[];
  /** Thread time for the costs of a rule, ms. */
  readonly ruleMs: number;
  readonly signal: AbortSignal;
  readonly say: (progress: string) => void;
}

/** Parts of a study that costs have, and threads that search them. */
const [COSTS_SHARE, THREADS] = [0.6, 2];

/** Studies the rules of real definitions, each text once. Gives what it knows of a definition when it is done. */
export async function* studyCorpora({ files, ruleMs, signal, say }: CorporaSettings): AsyncGenerator<readonly RealRule[]> {
  const options = checkOptions({});
  if (!options.ok) throw new Error(options.status.message);
  const engine = new EngineThreads({ threads: THREADS });
  const seen = new Set<string>();
  try {
    for (const file of files) {
      if (signal.aborted) return;
      const slice = { bytes: readFileSync(file), notation: 'yaml' } as const;
      const definition = definitionText(slice, serverOf(options.value));
      const explained = await engine.run({ kind: 'explain', definition, asSent: false }, { signal });
      const fresh =
        explained.kind === 'done' ? explained.result.explained.rules.filter(({ rule }) => !seen.has(rule) && seen.add(rule)) : [];
      if (fresh.length === 0) continue;
      const wanted = new Set(fresh.map(({ version, path }) => `${version} ${path}`));
      const found = await studyDefinitions(
        engine,
        {
          definitions: [{ source: relative(PROJECT, file), slice }],
          objects: [],
          options: options.value,
          budgetMs: (fresh.length * ruleMs) / (COSTS_SHARE * THREADS),
          seed: 1,
          isTimed: true,
          base: undefined,
          isWanted: ({ version, path }) => wanted.has(`${version} ${path}`),
        },
        { signal },
      );
      if (found.rules.length > 0) say(`${found.rules[0]?.definition}: ${found.rules.length} rules`);
      yield found.rules.map(realRule);
    }
  } finally {
    engine.stop();
  }
}

function realRule({ definition, rule, estimate, growsWith, worst, times, notStudied }: PlacedFindings): RealRule {
  const [steepest] = growsWith;
  const time = times.find(({ engine, what }) => engine === 'Assay compiled' && what === 'rule');
  return {
    definition,
    rule,
    estimate: estimate && Number(estimate.object),
    growth: steepest && { field: steepest.field, unit: steepest.unit, exponent: steepest.costExponent, near: steepest.near },
    dearest: worst && { cost: worst.cost, end: worst.end },
    time:
      time?.nsPerUnit === undefined || time.timesMedian === undefined
        ? undefined
        : { ms: time.ms, nsPerUnit: time.nsPerUnit, timesMedian: time.timesMedian },
    notStudied,
  };
}
