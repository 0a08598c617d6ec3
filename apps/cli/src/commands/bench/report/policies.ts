import type { PolicyStudyReport, StudiedPolicy } from '#benchmark';
import { minorWords } from '#kube';
import { grouped, timeText, times } from '#numbers';
import { shownText, helpText, markdownTable, SERIES_HEADINGS, seriesCells, shownInLine } from '#report';
import { tableWidth, fittedTable } from '../../../report/fitted-table.ts';
import { print, reportOnStderr } from '../../../report/print.ts';
import type { ToolReport } from '../../../report/tool-report.ts';
import { isTrackingForm } from '../../../tracking/tracking-forms.ts';
import { EXIT, UsageError } from '../../../usage.ts';
import type { BenchArguments } from '../read-studied.ts';
import type { PolicyStudyOutcome } from '../study-here.ts';

/**
 * Prints a study of policies without rules, and returns the exit status. The status is 1 if the user ended the study. Throws
 * {@link UsageError} if the form is only one for rules.
 */
export async function reportPolicies({ output }: BenchArguments, outcome: PolicyStudyOutcome | undefined): Promise<number> {
  if (outcome === undefined) return EXIT.ok;
  const { report, stopped } = outcome;
  if (stopped !== undefined) reportOnStderr(`${stopped}: the report is about what is known by now`);
  if (isTrackingForm(output))
    throw new UsageError(
      `-o ${output} shows rules of definitions, and the files hold only policies: choose text, json, yaml, html or markdown`,
    );
  if (output === 'html') {
    const { policyPage } = await import('#report/study-page');
    process.stdout.write(policyPage(report));
  } else if (output === 'markdown') process.stdout.write(shownText(policiesComment(report)));
  else print(output, report, { text: () => policiesText(report, tableWidth()), tools: () => policyCases(report) });
  return stopped === undefined ? EXIT.ok : EXIT.rejected;
}

/** Returns a study as a report for tools. Each policy is a test case, which is skipped if the policy was not studied. */
function policyCases({ policies }: PolicyStudyReport): ToolReport {
  return {
    rules: {},
    problems: [],
    cases: policies.map(({ kind, name, sample, notStudied }) => ({
      name: `${kind} ${name}`,
      classname: kind,
      file: sample ?? '',
      ...(sample === undefined && { skipped: notStudied[0]?.reason }),
    })),
  };
}

const FORM = {
  headings: SERIES_HEADINGS,
  toTheRight: new Set<string>(['COST', 'TIME', 'LARGEST JUDGED', 'COSTS', 'ON A SERVER', '100 MS FROM', '1 S FROM']),
  flexible: [['GROWS WITH', 20]],
} as const;

/** Maximum number of policies that are shown. Policies above this number are only counted. */
const SHOWN_POLICIES = 40;

/** Returns a study of policies as readable text: a table for each policy, then the changes that help. */
export function policiesText({ kubernetesVersion, isPartial, policies }: PolicyStudyReport, columns: number | undefined): string {
  const state = isPartial ? '; the time did not suffice for all sizes' : '';
  const shown = policies.slice(0, SHOWN_POLICIES);
  return [
    `Policies, Kubernetes ${minorWords(kubernetesVersion)}${state}. Costs are exact. Times on a server are predicted: CPU time of the policy plugin.`,
    ...shown.flatMap((policy) => ['', ...policyLines(policy, columns)]),
    ...(policies.length > shown.length ? ['', `and ${grouped(policies.length - shown.length)} more`] : []),
    '',
  ].join('\n');
}

function policyLines(policy: StudiedPolicy, columns: number | undefined): string[] {
  const { kind, name, sample, bindings = 0, price, series, helps, notStudied } = policy;
  const head = `${kind} ${name}`;
  const priced = price && `${grouped(price.cost)} units, ≈ ${timeText(price.ms)} on a server, ${times(bindings, 'binding')}`;
  return [
    shownInLine(sample === undefined ? head : `${head}, write of ${sample}: ${priced ?? 'not judged'}`),
    ...(series.length === 0 ? [] : fittedTable(FORM, series.map(seriesCells), columns)),
    ...(helps.length === 0 ? [] : ['  What helps:', ...helps.map((help) => shownInLine(`    ${helpText(help)}`))]),
    ...[...Map.groupBy(notStudied, ({ reason }) => reason)].map(([reason, parts]) =>
      shownInLine(`  Not studied: ${parts.map(({ what }) => what).join(', ')}: ${reason}`),
    ),
  ];
}

/** Returns a study of policies as a section of a comment, in Markdown. */
export function policiesComment({ policies }: PolicyStudyReport): string {
  const rows = policies.flatMap((policy) => policy.series.map((series) => [`${policy.kind} ${policy.name}`, ...seriesCells(series)]));
  const helps = policies.flatMap(({ name, helps: own }) => own.map((help) => [name, helpText(help)]));
  return [
    `### Costs of policies: ${grouped(policies.length)} studied`,
    ...markdownTable(['Policy', ...SERIES_HEADINGS.map((heading) => `${heading.slice(0, 1)}${heading.slice(1).toLowerCase()}`)], rows),
    ...markdownTable(['Policy', 'What helps'], helps),
    '',
  ].join('\n');
}
