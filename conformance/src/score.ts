import type { RecordedCaseResult } from './bench-protocol.ts';

/** A difference that is known and explained. Exactly the named cases are excused, and only while they really differ. */
export interface KnownDifference {
  /** The file's name without `.jsonl.gz`. */
  readonly file: string;
  readonly ids: readonly string[];
  readonly reason: string;
}

/** The score of one file. */
export interface Score {
  readonly file: string;
  cases: number;
  /** Accept/reject, compile success and value agree. */
  verdict: number;
  exact: number;
  known: number;
  missing: number;
  /** Lines that were not compared, by reason. */
  readonly skipped: Map<string, number>;
  /** Ids of known differences that agree again. */
  readonly healed: string[];
  /** Cases by class of difference. */
  readonly classes: Map<string, { count: number; readonly examples: RecordedCaseResult[] }>;
}

/** Counts the results of a file. */
export async function scoreOf(
  file: string,
  results: AsyncIterable<RecordedCaseResult>,
  known: readonly KnownDifference[],
  examples: number,
): Promise<Score> {
  const excused = new Set(known.filter((entry) => entry.file === file).flatMap(({ ids }) => ids));
  const score: Score = { file, cases: 0, verdict: 0, exact: 0, known: 0, missing: 0, skipped: new Map(), healed: [], classes: new Map() };
  for await (const result of results) {
    if (result.outcome === 'skipped') {
      score.skipped.set(result.what, (score.skipped.get(result.what) ?? 0) + 1);
      continue;
    }
    score.cases++;
    if (result.outcome === 'missing') score.missing++;
    if (result.outcome === 'exact' || result.outcome === 'verdict') score.verdict++;
    if (result.outcome === 'exact') {
      score.exact++;
      if (excused.has(result.id)) score.healed.push(result.id);
    } else if (excused.has(result.id)) score.known++;
    else {
      const seen = score.classes.get(result.what) ?? { count: 0, examples: [] };
      score.classes.set(result.what, seen);
      if (++seen.count <= examples) seen.examples.push(result);
    }
  }
  return score;
}

/** Returns one line of the table. */
export function scoreLine({ file, cases, verdict, exact, known, missing, skipped, classes }: Score): string {
  const share = (count: number): string => (cases === 0 ? '–' : `${((100 * count) / cases).toFixed(2)} %`);
  const biggest = [...classes].sort((a, b) => b[1].count - a[1].count).slice(0, 3);
  const differences = biggest.map(([what, { count }]) => `${count} × ${what.slice(0, 60)}`).join('; ');
  const counts = [`${cases} cases`, `verdict ${share(verdict)}`, `exact ${share(exact)}`];
  if (known) counts.push(`known ${known}`);
  if (missing) counts.push(`missing ${missing}`);
  if (skipped.size > 0) counts.push(`skipped ${[...skipped.values()].reduce((sum, count) => sum + count, 0)}`);
  return `${file.padEnd(24)} ${counts.join(', ')}${differences && ` | ${differences}`}`;
}
