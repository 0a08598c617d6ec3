import type { JunitCase } from '#report';
import { adviceFinding } from '../../../evaluation/place-findings.ts';
import type { PlacedExplanation } from '../explain-documents.ts';
import { PROBLEM_RULES, policyProblemRule, problemRule } from '../../../report/tool-report.ts';
import type { Problem, ToolReport } from '../../../report/tool-report.ts';

/**
 * Converts an explanation of definitions and objects to the report from which formats such as SARIF and JUnit are written. In the report,
 * each kind of problem or advice is a rule, and each definition, policy or object is a test case.
 */
export function explanationProblems({ definitions, policyReports = [], objects }: PlacedExplanation): ToolReport {
  const documents = [
    ...definitions.map((definition) => ({
      ...definition,
      about: `CustomResourceDefinition ${JSON.stringify(definition.report.name)}`,
      failure: definition.report.accepted ? undefined : (definition.report.status?.message ?? 'refused'),
      skipped: undefined,
      advice: definition.advice,
      ruleOf: problemRule,
    })),
    ...policyReports.map((report) => ({
      ...report,
      about: `${report.kind} ${JSON.stringify(report.name)}`,
      failure: report.status?.message,
      skipped: undefined,
      advice: [],
      ruleOf: policyProblemRule,
    })),
    ...objects.map((object) => ({
      ...object,
      about: `object ${JSON.stringify(object.name ?? '')}`,
      failure: object.outcome === 'rejected' ? (object.status?.message ?? 'refused') : undefined,
      skipped: object.outcome === 'notEvaluated' || object.outcome === 'cancelled' ? (object.status?.message ?? object.outcome) : undefined,
      advice: [],
      ruleOf: problemRule,
    })),
  ];
  const rules: Record<string, string> = { ...PROBLEM_RULES };
  const problems = documents.flatMap(({ source, location, findings = [], advice, about, ruleOf }): Problem[] => {
    const file = location?.file ?? source;
    for (const { id } of advice) rules[id] = `Advice: ${id} (docs/reference/advice.md)`;
    return [
      ...findings.map((finding) => ({ rule: ruleOf(finding, about), finding, file, about })),
      ...advice.map((one) => ({ rule: one.id, finding: adviceFinding(one), file, about })),
    ];
  });
  const cases = documents.map(({ source, location, about, failure, skipped }): JunitCase => {
    const file = location?.file ?? source;
    return { name: about, classname: file, file, line: location?.line, failure, skipped };
  });
  return { rules, problems, cases };
}
