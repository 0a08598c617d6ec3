import { minorWords, OBJECT_BUDGET } from '#kube';
import { bytesText, columnShare, times } from '#numbers';
import { shownInLine } from '#report';
import { fittedTable } from '../../../report/fitted-table.ts';
import { commitText, findingsOf } from '../findings.ts';
import { hasMoved, ruleName, shownRules } from '../definition-history.ts';
import type { DefinitionHistory, DefinitionState, HistoryResult, RuleHistory } from '../definition-history.ts';

/** Maximum number of commits and of rules in the tables of one definition. JSON and CSV have all of them. */
const LISTED = { commits: 30, rules: 10 } as const;
/** Width in characters of a report that no terminal shows. */
const WIDTH = 160;

/** Returns histories as readable text: for each definition its findings, the commits that change its costs, and the rules that moved most. */
export function historyText({ definitions, skipped, notes }: HistoryResult): string {
  const parts = [
    ...definitions.map((definition) => definitionLines(definition).join('\n')),
    ...(definitions.length === 0 ? ['No commit has a CustomResourceDefinition at these paths.'] : []),
    ...skipped.map(({ commit, path, problem }) =>
      shownInLine(`Skipped ${commit === undefined ? 'the state before the range' : commit.hash.slice(0, 9)}: ${path}: ${problem}`),
    ),
    ...notes.map((note) => shownInLine(`Note: ${note}`)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function definitionLines(history: DefinitionHistory): string[] {
  const { name, file, states, rules, minor } = history;
  const changes = states.filter((state, i) => i === 0 || costsDiffer(state, states[i - 1]));
  const shown = changes.slice(-LISTED.commits);
  const earlier = changes.length - shown.length;
  const moved = shownRules(rules).filter(hasMoved).slice(0, LISTED.rules);
  return [
    shownInLine(`${name} in ${file}: ${times(states.length, 'state')}, Kubernetes ${minorWords(minor)}`),
    ...findingsOf(history).map((finding) => shownInLine(`  ${finding}`)),
    '',
    '  Commits that change a cost or a verdict:',
    ...(earlier > 0 ? [`  (${times(earlier, 'earlier one')}: see -o csv)`] : []),
    ...fittedTable(
      {
        headings: ['Commit', 'Day', 'Total', 'Costliest rule', 'Costliest write', 'Rules', 'Size', 'Refused by', 'Subject'],
        toTheRight: new Set(['Total', 'Costliest rule', 'Costliest write', 'Rules', 'Size']),
        flexible: [
          ['Subject', 20],
          ['Refused by', 12],
        ],
      },
      shown.map(commitRow),
      WIDTH,
    ),
    ...(moved.length === 0
      ? []
      : [
          '',
          '  Rules that moved most:',
          ...fittedTable(
            { headings: ['Rule', 'Share of its limit'], toTheRight: new Set(), flexible: [['Rule', 60]] },
            moved.map((rule) => [ruleName(rule), movesText(rule, states)]),
            WIDTH,
          ),
        ]),
  ];
}

/** Returns true if two states differ in more than size: in a total, the most expensive rule, the number of rules, or a verdict. */
function costsDiffer({ figures: after }: DefinitionState, before: DefinitionState | undefined): boolean {
  const of = (figures: DefinitionState['figures']): string =>
    JSON.stringify(figures && [figures.total, figures.costliestRule, figures.ruleCount, refusedBy(figures)]);
  return of(after) !== of(before?.figures);
}

const refusedBy = ({ refusals }: NonNullable<DefinitionState['figures']>): string =>
  [...refusals].flatMap(([minor, message]) => (message === undefined ? [] : [minor])).join(', ');

function commitRow({ commit, figures, found }: DefinitionState): string[] {
  const [hash, day, subject] = commit === undefined ? ['before', '', ''] : [commit.hash.slice(0, 9), commit.date, commit.subject];
  if (figures === undefined) return [hash, day, 'gone', '', '', '', '', '', subject];
  return [
    hash,
    day,
    figures.total === undefined ? '' : columnShare(figures.total.share),
    figures.costliestRule === undefined ? '' : columnShare(figures.costliestRule),
    found === undefined ? '' : columnShare(found.cost / OBJECT_BUDGET),
    String(figures.ruleCount),
    bytesText(figures.bytes),
    refusedBy(figures),
    subject,
  ];
}

/** Returns the shares that a rule took, with the commits that changed them: `0.1 % → 4.2 % with 1a2b3c4 (2025-03-02)`. */
function movesText({ costs, first, end }: RuleHistory, states: readonly DefinitionState[]): string {
  const at = (i: number): string => {
    const state = states[i];
    return state === undefined ? '' : commitText(state);
  };
  const moves = costs.map(({ share, at: i }, n) => {
    const isOld = n === 0 && first === 0;
    return isOld ? columnShare(share) : `${n === 0 ? 'new ' : ''}${columnShare(share)} with ${at(i)}`;
  });
  return [...moves, ...(end === undefined ? [] : [`gone with ${at(end)}`])].join(' → ');
}
