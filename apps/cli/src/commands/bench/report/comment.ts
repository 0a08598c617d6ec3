import type { PlacedFindings, StudyReport } from '#benchmark';
import { EXPRESSION_COST_LIMIT, OBJECT_BUDGET, PER_CALL_LIMIT } from '#kube';
import { grouped, times } from '#numbers';
import { markdownTable, unusableDefinitions } from '#report';
import { changeCommentText } from '../../../report/change-comment.ts';
import type { CommentRule } from '../../../report/change-comment.ts';
import { placeInObjects } from '../../../tracking/tracked-definition.ts';
import type { FailedGate } from '../study-gate.ts';

/** Maximum number of rules among the details of a comment. */
const DETAILED = 100;

/**
 * Returns a study as a comment for a pull request, in Markdown. Without an older revision, it shows the rules that take most of their limit.
 */
export function studyComment(study: StudyReport, failed: readonly FailedGate[]): string {
  const { definitions, rules, base, isPartial, notStudied } = study;
  const unusable = new Map(unusableDefinitions(study).map(({ source, why }) => [source, why]));
  const shown = base === undefined ? rules : rules.filter(({ change }) => change !== undefined && change !== 'none');
  return changeCommentText({
    title: `Costs of rules: ${times(rules.length, 'rule')} studied`,
    definitions: definitions.map(({ source, definition, rules: count }) => ({
      name: definition ?? source,
      state: times(count, 'rule'),
      verdict: unusable.get(source) ?? `accepted by ${study.kubernetesVersion}`,
    })),
    rules: shown.map((one) => commentRule(one, definitions.length > 1)).toSorted((a, b) => (b.after ?? 0) - (a.after ?? 0)),
    objects: [],
    failed: failed.map(({ source, version, path, text }) => {
      const name = definitions.length > 1 ? (definitions.find((one) => one.source === source)?.definition ?? source) : '';
      const place = [name, version, path && placeInObjects(path)].filter((part) => part !== undefined && part !== '').join(' ');
      return place === '' ? text : `${place}: ${text}`;
    }),
    notes: [
      ...(base === undefined ? [] : [`Compared with ${base}: ${times(shown.length, 'rule')} touched by the change.`]),
      ...(isPartial ? ['The time did not suffice for all rules.'] : []),
      ...notStudied.map(({ reason, rules: count }) => `${times(count, 'rule')} not studied: ${reason}`),
    ],
    details: markdownTable(
      ['Rule', 'Most expensive write', 'Before', 'Refused from'],
      shown
        .slice(0, DETAILED)
        .map((one) => [
          `${one.version} ${placeInObjects(one.path)}`,
          one.worst === undefined ? '' : `${grouped(one.worst.cost)} units${one.isPartial ? ' or more' : ''}, ${limitText(one.worst.end)}`,
          one.base?.kind === 'compared' ? grouped(one.base.cost.base) : (one.base?.kind ?? ''),
          one.budgetEndsAt === undefined ? '' : `${grouped(one.budgetEndsAt.size)} ${one.budgetEndsAt.unit} of ${one.budgetEndsAt.field}`,
        ]),
    ),
  });
}

/** Returns how a write ended: accepted, or by which limit in cost units. */
function limitText(end: 'accepted' | 'call' | 'object'): string {
  if (end === 'accepted') return end;
  return `refused by the limit of ${grouped(end === 'call' ? PER_CALL_LIMIT : OBJECT_BUDGET)}`;
}

function commentRule({ definition, version, path, rule, change, estimate, cutOff }: PlacedFindings, isOneOfMany: boolean): CommentRule {
  const words = { fields: 'other bounds', none: '', gone: 'gone', new: 'new', changed: 'changed', moved: 'moved' };
  const share = estimate && Number(estimate.object) / Number(EXPRESSION_COST_LIMIT);
  return {
    place: `${isOneOfMany ? `${definition} ` : ''}${version} ${placeInObjects(path)}`,
    rule,
    state: [change === undefined ? '' : words[change], cutOff === undefined ? '' : 'not finished'].filter((word) => word !== '').join(', '),
    after: share,
  };
}
