import type { RecordedCaseResult } from './bench-protocol.ts';

/** Differences that are known and explained. Only the cases in `ids` are excused, and only if they still differ. */
export interface KnownDifference {
  /** Name of the recorded file without `.jsonl.gz`. */
  readonly file: string;
  readonly ids: readonly string[];
  readonly reason: string;
}

/** Counts of agreements and differences between Assay and one recorded file. */
export interface Score {
  readonly file: string;
  cases: number;
  /** Number of cases that agree with the recorded verdict on acceptance, on compile success, and on the resulting value. */
  verdict: number;
  exact: number;
  known: number;
  missing: number;
  /** Lines that were not compared, by reason. */
  readonly skipped: Map<string, number>;
  /** Ids of cases that are listed as known differences, although Assay now agrees with the recorded verdict. */
  readonly healed: string[];
  /** Number of differing cases, with examples, for each class of difference. */
  readonly classes: Map<string, DifferenceClass>;
}

/** Number of cases that differ in the same aspects, with some of them as examples. */
export interface DifferenceClass {
  count: number;
  readonly examples: RecordedCaseResult[];
}

/** Counts agreements and differences in the results of one recorded file. */
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

/** Returns the numbers of the score of one file as a line. */
export function countsLine({ file, cases, verdict, exact, known, missing, skipped }: Score): string {
  const share = (count: number): string => (cases === 0 ? '–' : `${((100 * count) / cases).toFixed(2)} %`);
  const counts = [`${cases} cases`, `verdict ${share(verdict)}`, `exact ${share(exact)}`];
  if (known) counts.push(`known ${known}`);
  if (missing) counts.push(`missing ${missing}`);
  if (skipped.size > 0) counts.push(`skipped ${[...skipped.values()].reduce((sum, count) => sum + count, 0)}`);
  return `${file.padEnd(24)} ${counts.join(', ')}`;
}

/** Returns the score of one file as a line of the printed table: its numbers and the most frequent classes of difference. */
export function scoreLine(score: Score): string {
  const differences = mostFrequent(score)
    .slice(0, 3)
    .map(([what, { count }]) => `${count} × ${what.slice(0, 60)}`);
  return `${countsLine(score)}${differences.length === 0 ? '' : ` | ${differences.join('; ')}`}`;
}

/**
 * Returns the classes of difference of one file as lines, the most frequent first, each with its examples. `sides` has the names of the
 * recorded verdict and of the verdict that was compared with it.
 */
export function classLines(score: Score, [recorded, compared]: readonly [recorded: string, compared: string]): string[] {
  const width = Math.max(recorded.length, compared.length);
  const side = (name: string, text = ''): string => {
    const cut = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
    return `          ${name.padEnd(width)} ${cut.replaceAll('\n', '\n          ')}`;
  };
  return mostFrequent(score).flatMap(([what, { count, examples }]) => [
    `    ${count} × ${what}`,
    ...examples.flatMap(({ id, golden, ours }) => [`        ${id}`, side(recorded, golden), side(compared, ours)]),
  ]);
}

/** Number of characters of a verdict that an example shows. */
const SHOWN_CHARACTERS = 700;

function mostFrequent({ classes }: Score): (readonly [string, DifferenceClass])[] {
  return [...classes].sort((a, b) => b[1].count - a[1].count);
}
