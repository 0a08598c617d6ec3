import type { EvaluationOutcome } from './evaluate.ts';

/** Conditions that are reported only where they do not hold. */
const USUAL: readonly string[] = ['NamesAccepted', 'Established', 'KubernetesAPIApprovalPolicyConformant'];

/** The outcome as lines for people: what was refused and why, what was warned about, and the counts. */
export function evaluationText({ definitions, items, summary }: EvaluationOutcome, files: number): string {
  const lines: string[] = [];
  for (const { source, name, accepted, status, warnings, conditions = [] } of definitions) {
    if (!accepted) lines.push(`${source}: definition ${name || '(unnamed)'} refused`, `    ${status?.message ?? ''}`);
    for (const { type, status: state, reason, message } of conditions)
      if (!(state === 'True' && USUAL.includes(type))) lines.push(`${source}: ${type} is ${state} (${reason}): ${message}`);
    for (const warning of warnings) lines.push(`${source}: warning: ${warning}`);
  }
  for (const { source, name, definition, outcome, status, warnings, cost } of items) {
    const what = `${definition ?? 'object'}${name === undefined ? '' : ` "${name}"`}`;
    lines.push(`${source}: ${what} ${WORDS[outcome]}${cost && cost.cel > 0 ? ` (CEL cost ${cost.cel})` : ''}`);
    if (status) lines.push(`    ${status.message}`);
    for (const warning of warnings) lines.push(`    warning: ${warning}`);
    for (const rule of cost?.rules ?? []) lines.push(`    cost ${String(rule.cost).padStart(8)}  ${rule.path}: ${rule.rule}`);
  }
  const { accepted, rejected, notEvaluated, celCost } = summary;
  lines.push(
    `Summary: ${items.length} objects and ${definitions.length} definitions in ${files} files - Accepted: ${accepted}, Rejected: ${rejected}, Not evaluated: ${notEvaluated}, CEL cost: ${celCost}`,
  );
  return `${lines.join('\n')}\n`;
}

const WORDS = { accepted: 'accepted', rejected: 'rejected', notEvaluated: 'not evaluated', cancelled: 'cancelled' } as const;
