import type { DefinitionReport, ItemOutcome, Phases, PolicyReport, Summary } from '../answer-types.ts';

/** Type with the fields of `Counts`, which may be changed. */
type Counting<Counts> = { -readonly [Name in keyof Counts]: Counts[Name] };

/**
 * Counts of outcomes, the costs and the time of each phase, for a chunk (consecutive objects) or a whole evaluation. The type is {@link
 * Summary} without the elapsed time and the notice.
 */
export type Tally = Counting<Omit<Summary, 'elapsedMs' | 'notice' | 'phases'>> & { readonly phases: Counting<Phases> };

/** Returns a tally in which all counts are zero. Callers then add verdicts and other tallies to it. */
export function emptyTally(): Tally {
  return { items: 0, accepted: 0, rejected: 0, notEvaluated: 0, cancelled: 0, warnings: 0, takenOff: 0, celCost: 0, phases: {} };
}

/** Adds one verdict to the tally. A `celCost` below zero is not added, because it means that a cost limit stopped the evaluation. */
export function countVerdict(tally: Tally, outcome: ItemOutcome, warnings: number, celCost: number, spent: Phases): void {
  tally.items++;
  tally[outcome]++;
  tally.warnings += warnings;
  if (celCost > 0) tally.celCost += celCost;
  addPhases(tally.phases, spent);
}

/** Adds the counts and times of `part` to `sum`. */
export function addTally(sum: Tally, part: Tally): void {
  sum.items += part.items;
  sum.accepted += part.accepted;
  sum.rejected += part.rejected;
  sum.notEvaluated += part.notEvaluated;
  sum.cancelled += part.cancelled;
  sum.warnings += part.warnings;
  sum.takenOff += part.takenOff;
  sum.celCost += part.celCost;
  addPhases(sum.phases, part.phases);
}

function addPhases(sum: Counting<Phases>, part: Phases): void {
  for (const phase of ['parse', 'schema', 'cel', 'total'] as const) {
    const ms = part[phase];
    if (ms !== undefined) sum[phase] = (sum[phase] ?? 0) + ms;
  }
}

/**
 * Returns a notice if a resourceVersion was dropped from documents of a batch. `documents` is the number of these documents; if it is zero,
 * returns undefined. `option` is the name of the option that keeps the resourceVersion.
 */
export function takenOffNotice(documents: number, option = 'asSent'): string | undefined {
  if (documents === 0) return undefined;
  const had = documents === 1 ? '1 document has a resourceVersion' : `${documents} documents have a resourceVersion`;
  return `${had}: what a server owns was taken off before ${documents === 1 ? 'it was' : 'they were'} judged (${option} judges them as they are)`;
}

/** Maximum number of policies that a notice lists individually. Further policies are only counted in the notice. */
const NAMED_POLICIES = 3;

/**
 * Returns the notice about a whole batch. It reports dropped resourceVersions ({@link takenOffNotice}), policies that a server would not
 * store, and definitions made of CompositeResourceDefinitions ({@link compositeNotice}). Returns undefined if there is nothing to report.
 */
export function noticeOf(
  takenOff: number,
  definitions: readonly DefinitionReport[],
  policyReports: readonly PolicyReport[],
): string | undefined {
  const refused = policyReports.filter(({ accepted }) => !accepted);
  const named = refused.slice(0, NAMED_POLICIES).map(({ status }) => status?.message ?? '');
  const more = refused.length > named.length ? `; and ${refused.length - named.length} more` : '';
  const policies =
    refused.length === 0 ? undefined : `objects are judged by policies that a server would refuse to store: ${named.join('; ')}${more}`;
  const notices = [takenOffNotice(takenOff), policies, compositeNotice(definitions)].filter((notice) => notice !== undefined);
  return notices.length === 0 ? undefined : notices.join('; ');
}

/** Report on a definition, with the name of the CompositeResourceDefinition of which the definition was made. */
interface MadeReport {
  readonly name: string;
  readonly composite?: string | undefined;
}

/** Maximum number of definitions that the notice names. Further definitions are only counted. */
const NAMED = 3;

/**
 * Returns the notice about definitions that were made of Crossplane's CompositeResourceDefinitions. It says that the release of Crossplane
 * in the cluster is not known. Returns undefined if there are no such definitions.
 */
export function compositeNotice(reports: readonly MadeReport[]): string | undefined {
  const names = [...new Set(reports.flatMap(({ name, composite }) => (composite === undefined ? [] : [name])))];
  if (names.length === 0) return undefined;
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return `judged as made by Crossplane 2.4 of a CompositeResourceDefinition: ${names.slice(0, NAMED).join(', ')}${more}; other releases can add other fields`;
}
