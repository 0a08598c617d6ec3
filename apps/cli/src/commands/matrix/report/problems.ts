import { minorWords } from '#kube';
import type { JunitCase } from '#report';
import { isRefused, minorsText } from '../../../report/version-matrix.ts';
import type { PlacedMatrix } from '../../../report/version-matrix.ts';
import { PROBLEM_RULES, policyProblemRule, problemRule } from '../../../report/tool-report.ts';
import type { Problem, ToolReport } from '../../../report/tool-report.ts';

type Row = PlacedMatrix['definitions'][number] | NonNullable<PlacedMatrix['policies']>[number] | PlacedMatrix['objects'][number];

/**
 * Returns the comparison of verdicts between Kubernetes minor versions as a report for tools. It contains the errors of all minor versions,
 * and the findings that only some minor versions report. Each document is a test case. The case fails if minor versions differ or refuse it.
 */
export function matrixProblems({ minors, definitions, policies = [], objects }: PlacedMatrix): ToolReport {
  const rows = [
    ...definitions.map((row) => ({ row, about: `CustomResourceDefinition ${JSON.stringify(row.name)}`, ruleOf: problemRule })),
    ...policies.map((row) => ({ row, about: `${row.kind} ${JSON.stringify(row.name)}`, ruleOf: policyProblemRule })),
    ...objects.map((row) => ({
      row,
      about: `object ${row.name === undefined ? row.index : JSON.stringify(row.name)}`,
      ruleOf: problemRule,
    })),
  ];
  const problems = rows.flatMap(({ row, about, ruleOf }) => {
    const file = row.location?.file ?? row.source;
    const common = row.findings.filter(({ severity, minors: some }) => severity === 'error' && some.length === minors.length);
    return [...common.map((finding) => ({ rule: ruleOf(finding, about), finding, file, about })), ...problemsOf(row, about, minors)];
  });
  const cases = rows.map(({ row, about }): JunitCase => {
    const file = row.location?.file ?? row.source;
    const lines = row.findings.map(({ message, minors: some }) => `${minorsText(some, minors, minorWords)}: ${message}`);
    return {
      name: about,
      classname: file,
      file,
      line: row.location?.line,
      failure:
        row.changes || isRefused(row)
          ? [row.changes ? 'not the same in all Kubernetes versions' : 'refused', ...lines].join('\n')
          : undefined,
    };
  });
  return { rules: { ...PROBLEM_RULES, 'other-minor': 'Not all Kubernetes versions say the same of this document' }, problems, cases };
}

function problemsOf(row: Row, about: string, minors: PlacedMatrix['minors']): Problem[] {
  const file = row.location?.file ?? row.source;
  const differing = row.findings.filter((finding) => finding.minors.length < minors.length);
  const differences = differing.map((finding): Problem => ({
    rule: 'other-minor',
    finding,
    file,
    about: `${about} on ${minorsText(finding.minors, minors, minorWords)}`,
  }));
  if (differences.length > 0 || !row.changes) return differences;
  const place = row.location && { location: { ...row.location, endLine: row.location.line, endColumn: row.location.column + 1 } };
  return [
    {
      rule: 'other-minor',
      file,
      about,
      finding: { severity: 'warning', message: 'costs are not the same in all Kubernetes versions', ...place },
    },
  ];
}
