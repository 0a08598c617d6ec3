import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { PlacedFindings } from '#benchmark';
import { checkOptions, definitionText, serverOf } from '#documents';
import { EngineThreads } from '#runner';
import { studyDefinitions } from '#service';
import { PROJECT } from '../places.ts';

/** Findings about one rule of a real definition, limited to what the published study needs. */
export interface RealRule {
  /** Name of the definition, such as `widgets.example.com`. */
  readonly definition: string;
  readonly rule: string;
  /** The server's cost estimate of the rule for a whole object, in cost units; undefined if there is no estimate. */
  readonly estimate: number | undefined;
  /**
   * Steepest growth of the rule's cost with the size of one field, or with the product of the sizes of several fields. Undefined if the
   * cost does not grow.
   */
  readonly growth:
    | { readonly field: string; readonly unit: string; readonly exponent: number; readonly near: string | undefined }
    | undefined;
  /**
   * Most expensive write that was found; undefined if none was found. `cost` is in cost units. `end` is `accepted`, or the cost limit that
   * ended the write: of one evaluation (`call`) or of an object (`object`).
   */
  readonly costliest: { readonly cost: number; readonly end: 'accepted' | 'call' | 'object' } | undefined;
  /**
   * Smallest size at which a write was found that the schema accepts and a cost limit refuses. All other sizes that raise the cost are as
   * large as possible. Undefined if no such write was found.
   */
  readonly refused: { readonly field: string; readonly unit: string; readonly size: number } | undefined;
  /**
   * Time of one evaluation in the most expensive write, with the compiled engine. `nsPerUnit` is the time for each cost unit. `timesMedian`
   * is the quotient of that time and the median time of a cost unit of common functions. Undefined if the evaluation costs too little for a
   * measurement, or if no time was left to measure it.
   */
  readonly time: { readonly ms: number; readonly nsPerUnit: number; readonly timesMedian: number } | undefined;
  readonly notStudied: string | undefined;
}

/** Settings of a study of many definitions. */
export interface CorporaSettings {
  readonly files: readonly string[];
  /** Thread time in ms for the search for the highest cost of one rule. */
  readonly ruleMs: number;
  readonly signal: AbortSignal;
  readonly say: (progress: string) => void;
}

/** Share of a study's (benchmark's) time that is used for searching high costs, and number of threads. */
const [COSTS_SHARE, THREADS] = [0.6, 2];

/**
 * Studies the rules of real definitions. Each rule text is studied once. Yields the findings about a definition as soon as all its rules
 * are studied.
 */
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
      const explained = await engine.run({ kind: 'explain', definition, asSent: false, fieldValidation: 'Warn' }, { signal });
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

function realRule({
  definition,
  rule,
  estimate,
  growsWith,
  growsTogether,
  budgetEndsAt: end,
  worst,
  times,
  notStudied,
}: PlacedFindings): RealRule {
  const growth = growsTogether ?? growsWith[0];
  const time = times.find(({ engine, what }) => engine === 'Assay compiled' && what === 'rule');
  return {
    definition,
    rule,
    estimate: estimate && Number(estimate.object),
    growth: growth && {
      field: (growsTogether?.fields ?? growsWith.slice(0, 1)).map(({ field }) => field).join(' × '),
      unit: growsTogether === undefined ? (growsWith[0]?.unit ?? '') : 'each',
      exponent: growth.costExponent,
      near: growth.near,
    },
    costliest: worst && { cost: worst.cost, end: worst.end },
    refused: end && { field: [end.field, ...(end.together ?? [])].join(' × '), unit: end.unit, size: end.size },
    time:
      time?.nsPerUnit === undefined || time.timesMedian === undefined
        ? undefined
        : { ms: time.ms, nsPerUnit: time.nsPerUnit, timesMedian: time.timesMedian },
    notStudied,
  };
}
