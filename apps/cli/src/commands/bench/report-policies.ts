import { shownText } from '#report';
import type { PolicyStudyReport } from '#benchmark';
import { print, reportOnStderr } from '../../report/print.ts';
import { tableWidth } from '../../report/fitted-table.ts';
import type { ToolReport } from '../../report/tool-report.ts';
import { isTrackingForm } from '../../tracking/tracking-forms.ts';
import { EXIT, UsageError } from '../../usage.ts';
import { policiesComment, policiesText } from './report/policies.ts';
import type { BenchArguments } from './bench-arguments.ts';
import type { PolicyStudyOutcome } from './study-policies-here.ts';

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
