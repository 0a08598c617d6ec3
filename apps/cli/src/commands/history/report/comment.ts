import { minorWords } from '#kube';
import { times } from '#numbers';
import { markdownCell, shownInLine } from '#report';
import { changeCommentText, detailHeading } from '../../../report/change-comment.ts';
import type { CommentDefinition, CommentRule } from '../../../report/change-comment.ts';
import { hasMoved, ruleName, shownRules } from '../definition-history.ts';
import type { DefinitionHistory, HistoryResult } from '../definition-history.ts';
import { findingsOf } from '../findings.ts';

/** Returns histories as a comment in Markdown: shares at first and now, the rules that moved, and the findings among the details. */
export function historyComment({ definitions, notes, skipped }: HistoryResult): string {
  return changeCommentText({
    title: `History of ${times(definitions.length, 'CustomResourceDefinition')}`,
    definitions: definitions.map((one) => ({
      name: one.name,
      state: times(one.states.length, 'state'),
      verdict: verdictOf(one),
      total: totalOf(one),
    })),
    rules: definitions.flatMap((one) => movedRules(one, definitions.length > 1)),
    objects: [],
    failed: [],
    notes: [...notes, ...(skipped.length === 0 ? [] : [`${times(skipped.length, 'commit')} skipped: a file cannot be read.`])],
    details: definitions.flatMap((one, i) => [
      ...(i === 0 ? [] : ['']),
      detailHeading(one.name, ''),
      '',
      ...findingsOf(one).map((finding) => `- ${markdownCell(shownInLine(finding))}`),
    ]),
  });
}

function verdictOf({ states, minor }: DefinitionHistory): string {
  const figures = states.at(-1)?.figures;
  if (figures === undefined) return 'gone';
  const refusing = [...figures.refusals].flatMap(([one, message]) => (message === undefined ? [] : [minorWords(one)]));
  if (refusing.length > 0) return `refused by ${refusing.join(', ')}`;
  return figures.refusals.size === 1 ? `accepted by ${minorWords(minor)}` : 'accepted by all judged versions';
}

function totalOf({ states }: DefinitionHistory): CommentDefinition['total'] {
  const [first, last] = [states[0]?.figures?.total, states.at(-1)?.figures?.total];
  return last === undefined ? undefined : { version: last.version, before: first?.share, after: last.share };
}

const movedRules = ({ name, rules }: DefinitionHistory, isOneOfMany: boolean): CommentRule[] =>
  shownRules(rules)
    .filter(hasMoved)
    .map((rule) => ({
      place: `${isOneOfMany ? `${name} ` : ''}${ruleName(rule)}`,
      rule: rule.newest.rule,
      state: rule.end === undefined ? (rule.first > 0 ? 'added' : 'changed') : 'gone',
      before: rule.first > 0 && rule.end === undefined ? undefined : rule.costs[0]?.share,
      after: rule.end === undefined ? rule.costs.at(-1)?.share : undefined,
    }));
