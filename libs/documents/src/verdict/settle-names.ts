import { memoizeWeak } from '#go';
import { ClaimedNames, NAMES_ACCEPTED, NOT_ESTABLISHED } from '#kube';
import type { NamesAccepted } from '#kube';
import type { DefinitionReport } from '../answer-types.ts';

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
