import type { PlacedFindings, StudyReport } from '#benchmark';
import type { Finding } from '#source';
import type { JunitCase } from '#report-forms';
import type { ToolReport } from '../report/tool-forms.ts';
import type { FailedGate } from './study-gate.ts';

/** Places of rules, by definition's document, version and path. */
export type RuleFinder = (rule: PlacedFindings) => { readonly file: string; readonly location?: NonNullable<Finding['location']> };

/** Returns a study for tools: a problem for each bound that a rule does not keep, a case for each rule. */
export function studyProblems({ rules }: StudyReport, failed: readonly FailedGate[], find: RuleFinder): ToolReport {
  const byRule = Map.groupBy(failed, ({ rule }) => rule);
  return {
    rules: Object.fromEntries(failed.map(({ gate }) => [gate.metric, `The bound ${gate.text} (assay bench --fail-on)`])),
    problems: failed.map(({ rule, gate, text }) => {
      const { file, location } = find(rule);
      return { rule: gate.metric, finding: { severity: 'error', message: text, ...(location && { location }) }, file, about: about(rule) };
    }),
    cases: rules.map((rule): JunitCase => {
      const { file, location } = find(rule);
      const problems = byRule.get(rule)?.map(({ text }) => text);
      return { name: about(rule), classname: file, file, line: location?.line, failure: problems?.join('\n'), skipped: rule.notStudied };
    }),
  };
}

const about = ({ definition, version, path }: PlacedFindings): string => `rule ${path} of ${definition}/${version}`;
