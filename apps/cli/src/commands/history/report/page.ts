import { chartFigure, drawableCharts, markup, PAGE_STYLE, pageFrame, tableMarkup } from '#report/charts';
import type { ChartOf, ChartRole, Markup } from '#report/charts';
import { minorWords } from '#kube';
import { columnShare, times } from '#numbers';
import { cutText, pagePolicy, shownInLine } from '#report';
import { packageVersion } from '#telemetry';
import { findingsOf } from '../findings.ts';
import { ruleName, shownRules } from '../definition-history.ts';
import type { DefinitionHistory, DefinitionState, HistoryResult, ShownRule } from '../definition-history.ts';

const STYLE = `${PAGE_STYLE}
h2,td{overflow-wrap:anywhere}
`;
/** Policy for a page without scripts. No chart of the page has inline styles. */
const POLICY = pagePolicy(STYLE);
/** Roles of the drawn rules. The first role belongs to the rule that moved most. */
const ROLES: readonly ChartRole[] = ['assay', 'shipped', 'reference', 'experiment', 'peer'];
/** Maximum number of commits in the table of one definition. */
const MAX_COMMITS = 200;

/** Returns histories as one HTML page without scripts or requests: findings, a curve for each of the rules that moved most, and the commits. */
export function historyPage({ definitions, skipped, notes, minors }: HistoryResult): string {
  const title = definitions.length === 1 ? `History of ${definitions[0]?.name}` : `History of ${times(definitions.length, 'definition')}`;
  return pageFrame({
    title,
    style: STYLE,
    meta: markup`<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    skip: ['definitions', 'the definitions'],
    above: 'Assay · history',
    headline: title,
    lead: markup`<p class="lead">What the rules cost in each commit, as Kubernetes ${minors.map(minorWords).join(', ')} would estimate it.</p>`,
    main: markup`<div id="definitions">${definitions.map(definitionSection)}</div>
${skipped.length === 0 ? '' : tableMarkup({ title: 'Skipped commits', columns: ['Commit', 'File', 'Problem'], rows: skipped.map(({ commit, path, problem }) => [commit?.hash.slice(0, 9) ?? '', shownInLine(path), shownInLine(problem)]) })}
${notes.map((note) => markup`<p>${note}</p>`)}`,
    footer: `Costs are estimates in CEL cost units, as the API server computes them from the schema. Assay ${packageVersion()} computed them.`,
  });
}

function definitionSection(history: DefinitionHistory, i: number): Markup {
  const { name, file, states } = history;
  const id = `d${i + 1}`;
  // Without a commit, there is no time at which a figure could change.
  const charts = states.some(({ commit }) => commit !== undefined) ? drawableCharts([rulesChart(history, i)]) : [];
  const shown = states.slice(-MAX_COMMITS).toReversed();
  return markup`<section aria-labelledby="${id}"><h2 id="${id}">${name}</h2><p>${file}</p>
<ul>${findingsOf(history).map((finding) => markup`<li>${shownInLine(finding)}</li>`)}</ul>
${charts.map((chart) => chartFigure(chart, { prefix: id, widths: ['wide', 'narrow'] }))}
<details><summary>${times(shown.length, 'state')} of ${states.length}, newest first</summary>${tableMarkup({ title: '', columns: ['Commit', 'Day', 'All rules', 'Costliest rule', 'Rules', 'Subject'], rows: shown.map(stateRow) })}</details></section>
`;
}

function stateRow({ commit, figures }: DefinitionState): string[] {
  const about = [commit?.hash.slice(0, 9) ?? 'before', commit?.date ?? ''];
  if (figures === undefined) return [...about, 'gone', '', '', shownInLine(commit?.subject ?? '')];
  const { total, costliestRule, ruleCount } = figures;
  const shares = [total?.share, costliestRule].map((share) => (share === undefined ? '' : columnShare(share)));
  return [...about, ...shares, String(ruleCount), shownInLine(commit?.subject ?? '')];
}

/** Returns a chart of the rules that moved most, as shares of the limit of a rule, over the time of the commits. */
export function rulesChart({ name, states, rules, minor }: DefinitionHistory, i: number): ChartOf<'steps'> {
  const times = states.flatMap(({ commit }) => commit?.time ?? []);
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const timeOf = (at: number): number => states[at]?.commit?.time ?? from;
  const drawn = shownRules(rules).slice(0, ROLES.length);
  const [first] = drawn;
  return {
    kind: 'steps',
    id: `rules-${i + 1}`,
    title: first === undefined ? `${name} has no rules` : titleOf(first, states),
    subtitle: `Estimated cost of the ${drawn.length} rules that moved most, as a share of the limit of a rule, on Kubernetes ${minorWords(minor)}`,
    reading: 'Each line is a rule. It is level until a commit changes its estimate. Above 100 %, a server refuses the definition.',
    notShown: `Rules that moved less, and rules without an estimate. The definition had ${rules.length} rules in all its states.`,
    from,
    to,
    y: { label: 'share of the limit of a rule', unit: 'percent' },
    series: drawn.map((rule, n) => seriesOf(rule, ROLES[n] ?? 'peer', timeOf)),
    horizontals: [{ y: 100, label: 'limit' }],
  };
}

function titleOf(rule: ShownRule, states: readonly DefinitionState[]): string {
  const [first, last] = [rule.costs[0], rule.costs.at(-1)];
  const since = last && states[last.at]?.commit?.date;
  const moved =
    first?.share === last?.share
      ? `takes ${columnShare(last?.share ?? 0)}`
      : `went from ${columnShare(first?.share ?? 0)} to ${columnShare(last?.share ?? 0)}`;
  return `The rule ${cutText(ruleName(rule), 100)} ${moved} of its limit${since === undefined ? '' : `, since ${since}`}`;
}

function seriesOf(rule: ShownRule, role: ChartRole, timeOf: (at: number) => number): Series {
  const { costs, end } = rule;
  return {
    name: cutText(ruleName(rule).replace('x-kubernetes-validations', ''), 60),
    role,
    points: costs.map(({ at, share }) => ({ time: timeOf(at), y: 100 * share })),
    ...(end !== undefined && { end: timeOf(end) }),
  };
}

type Series = ChartOf<'steps'>['series'][number];
