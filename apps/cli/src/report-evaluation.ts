import { takenOffNotice } from '#evaluation';
import type { EvaluationOutcome } from './evaluate.ts';
import { policyReportLines } from './report-policies.ts';
import { indented, shownInLine } from './shown-text.ts';

/** Conditions that are reported only where they do not hold. */
const USUAL: readonly string[] = ['NamesAccepted', 'Established', 'KubernetesAPIApprovalPolicyConformant'];

/** The outcome as lines for people: what was refused and why, what was warned about, and the counts. */
export function evaluationText({ definitions, policyReports = [], items, summary, ignored }: EvaluationOutcome, files: number): string {
  const lines: string[] = [];
  for (const { source, name, accepted, status, warnings, conditions = [] } of definitions) {
    const at = shownInLine(source);
    if (!accepted) lines.push(`${at}: definition ${shownInLine(name) || '(unnamed)'} refused`, indented(status?.message ?? ''));
    for (const { type, status: state, reason, message } of conditions)
      if (!(state === 'True' && USUAL.includes(type))) lines.push(`${at}: ${type} is ${state} (${reason}): ${shownInLine(message)}`);
    for (const warning of warnings) lines.push(`${at}: warning: ${shownInLine(warning)}`);
  }
  lines.push(...policyReports.flatMap(policyReportLines));
  for (const { source, name, definition, outcome, status, warnings, cost, admission } of items) {
    const what = shownInLine(`${definition ?? 'object'}${name === undefined ? '' : ` "${name}"`}`);
    lines.push(`${shownInLine(source)}: ${what} ${WORDS[outcome]}${cost && cost.cel > 0 ? ` (CEL cost ${cost.cel})` : ''}`);
    if (status) lines.push(indented(status.message));
    for (const warning of warnings) lines.push(indented(`warning: ${warning}`));
    for (const { configuration, webhook, called } of admission?.webhooks ?? [])
      if (called) lines.push(indented(`webhook ${webhook} of ${configuration} would be asked (it is never called here)`));
    for (const rule of cost?.rules ?? []) lines.push(indented(`cost ${String(rule.cost).padStart(8)}  ${rule.path}: ${rule.rule}`));
  }
  const notice = takenOffNotice(summary.takenOff + definitions.filter(({ takenOff }) => takenOff).length);
  if (notice !== undefined) lines.push(`Note: ${notice}`);
  const { accepted, rejected, notEvaluated, celCost } = summary;
  lines.push(
    `Summary: ${items.length} objects and ${definitions.length} definitions in ${files} files - Accepted: ${accepted}, Rejected: ${rejected}, Not evaluated: ${notEvaluated}${ignored === undefined ? '' : `, Ignored: ${ignored}`}, CEL cost: ${celCost}`,
  );
  return `${lines.join('\n')}\n`;
}

const WORDS = { accepted: 'accepted', rejected: 'rejected', notEvaluated: 'not evaluated', cancelled: 'cancelled' } as const;
