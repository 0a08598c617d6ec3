import type { Additions, ConcernedRule, VerdictCauses } from '#documents';
import { changedShare } from '#numbers';
import { causeHeading, causeSentences, indented, ruleInLine, shownInLine } from '#report';
import { addedBounds } from './bound-words.ts';

/** Maximum number of rules, with different texts or costs, that are listed below a cause. */
const LISTED = 5;
/** Maximum length of the text of a rule, in code points. */
const RULE_WIDTH = 100;

/** Returns lines that say why neighbouring Kubernetes versions have different verdicts on a definition, and which rules are concerned. */
export function causesText(causes: readonly VerdictCauses[]): string[] {
  return causes.flatMap((found) => [
    ...causeSentences(found).map((sentence) => indented(`${causeHeading(found)}: ${sentence}`)),
    ...found.rules.slice(0, LISTED).map((rule) => indented(ruleText(rule, found), '      ')),
    ...(found.rules.length > LISTED ? [`      … and ${found.rules.length - LISTED} other rules`] : []),
    ...found.sums.map(({ version, share }) => `      all rules of ${shownInLine(version)} together: ${changedShare(share, found)}`),
  ]);
}

function ruleText({ rule, isMessage, places, share }: ConcernedRule, versions: Pick<VerdictCauses, 'from' | 'to'>): string {
  const [first, ...others] = places;
  const at = first === undefined ? '' : `${first.version} ${first.path}${isMessage ? '.messageExpression' : ''}`;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const costs = share === undefined ? '' : `${changedShare(share, versions)}: `;
  return `${shownInLine(ruleInLine(rule, RULE_WIDTH))}\n  ${shownInLine(`${costs}${at}${more}`)}`;
}

/** Returns a line with the smallest additions to a definition with which the versions `all` accept it. */
export function additionsText(additions: Additions, all: string): string {
  if ('why' in additions) return indented(`no bounds make ${all} accept it: ${additions.why}`);
  return indented(`bounds with which ${all} accept it: ${addedBounds(additions.bounds).join(', ')}`);
}
