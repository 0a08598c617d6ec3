import { ClaimedNames } from '#kube';
import type { DefinitionReport } from './verdict.ts';

const NOT_ESTABLISHED = { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };

/**
 * Lets the accepted definitions of a batch claim their names in turn, as in a cluster to which they are added one after the other. One that
 * asks for a name of another is not established.
 */
export function settleNames(reports: readonly DefinitionReport[]): DefinitionReport[] {
  const groups = new Map<string, ClaimedNames>();
  return reports.map((report) => {
    const { names, group = '', conditions = [] } = report;
    if (names === undefined) return report;
    const claimed = groups.get(group) ?? new ClaimedNames();
    groups.set(group, claimed);
    const { status, reason, message } = verdictOn(claimed, names);
    const named = { type: 'NamesAccepted', status, reason, message };
    const others = conditions.filter(({ type }) => type !== 'NamesAccepted' && (status === 'True' || type !== 'Established'));
    return { ...report, conditions: [named, ...(status === 'True' ? [] : [NOT_ESTABLISHED]), ...others] };
  });
}

function verdictOn(
  claimed: ClaimedNames,
  names: NonNullable<DefinitionReport['names']>,
): { status: string; reason: string; message: string } {
  const answer = claimed.claim(names);
  if (answer.accepted) return { status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
  return { status: 'False', reason: answer.reason, message: answer.message };
}

/** Whether a cluster serves objects of the definition: it needs its names, or to have had them before. */
export function isServed({ accepted, conditions = [] }: DefinitionReport): boolean {
  const holds = (type: string): boolean => conditions.some((condition) => condition.type === type && condition.status === 'True');
  return accepted && (conditions.every(({ type }) => type !== 'NamesAccepted') || holds('NamesAccepted') || holds('Established'));
}
