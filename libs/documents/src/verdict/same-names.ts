import { memoizeWeak } from '#go';
import { ClaimedNames, NAMES_ACCEPTED, NOT_ESTABLISHED } from '#kube';
import type { NamesAccepted } from '#kube';
import type { DefinitionReport } from '../answer-types.ts';

/**
 * Returns the positions of the definitions by which a server would not judge objects, because another definition of the batch has the same
 * name. These are definitions that a later one replaced, and refused ones beside an accepted one.
 */
export function supersededDefinitions(reports: readonly DefinitionReport[]): ReadonlySet<number> {
  const standing = new Map<string, number>();
  for (const [i, { name, accepted }] of reports.entries()) if (accepted && name !== '') standing.set(name, i);
  return new Set(
    reports.flatMap(({ name }, i) => {
      const last = standing.get(name);
      return last === undefined || last === i ? [] : [i];
    }),
  );
}

/** Returns the positions of the definitions of each name that several definitions of a batch have. */
export function sameNames(reports: readonly Pick<DefinitionReport, 'name'>[]): readonly (readonly number[])[] {
  const byName = new Map<string, number[]>();
  for (const [i, { name }] of reports.entries()) {
    const known = byName.get(name);
    if (name === '') continue;
    if (known) known.push(i);
    else byName.set(name, [i]);
  }
  return [...byName.values()].filter(({ length }) => length > 1);
}

/**
 * Decides which accepted definitions of a batch get the names that they request, as if a cluster received the definitions one after
 * another. An update of an earlier definition keeps the names of this definition. Another definition that requests a taken name gets the conditions `NamesAccepted` and `Established` with status
 * false. Returns the reports with these conditions.
 */
export function settleNames(reports: readonly DefinitionReport[]): readonly DefinitionReport[] {
  const [only, ...others] = reports;
  if (only === undefined || others.length > 0) return settleAmong(reports);
  return settleAlone(only);
}

/** Settles the names of a batch that contains a single report. */
const settleAlone = memoizeWeak((report: DefinitionReport): readonly DefinitionReport[] => settleAmong([report]));

function settleAmong(reports: readonly DefinitionReport[]): DefinitionReport[] {
  const groups = new Map<string, ClaimedNames>();
  const settled: { readonly report: DefinitionReport; readonly answer?: NamesAccepted }[] = [];
  for (const report of reports) {
    const { names, group = '', updateOf } = report;
    const claimed = groups.get(group) ?? new ClaimedNames();
    groups.set(group, claimed);
    const before = updateOf === undefined ? undefined : settled[updateOf];
    if (names === undefined) settled.push({ report });
    else if (before?.answer?.accepted === true) settled.push({ report, answer: claimed.update(before.report.names, names) });
    else settled.push({ report, answer: claimed.claim(names) });
  }
  return settled.map(({ report, answer }) => {
    if (answer === undefined) return report;
    const { conditions = [] } = report;
    const others = conditions.filter(({ type }) => type !== 'NamesAccepted' && (answer.accepted || type !== 'Established'));
    if (answer.accepted) return { ...report, conditions: [NAMES_ACCEPTED, ...others] };
    const { reason, message } = answer;
    return { ...report, conditions: [{ type: 'NamesAccepted', status: 'False', reason, message }, NOT_ESTABLISHED, ...others] };
  });
}

/** Returns true if a cluster serves objects of the definition: its names are accepted now, or it was established before. */
export function isServed({ accepted, conditions = [] }: DefinitionReport): boolean {
  const holds = (type: string): boolean => conditions.some((condition) => condition.type === type && condition.status === 'True');
  return accepted && (conditions.every(({ type }) => type !== 'NamesAccepted') || holds('NamesAccepted') || holds('Established'));
}
