import type { PlacedFindings, StudyReport } from '#benchmark';
import type { EditorFinding } from '#editing';
import type { JunitCase } from '#report';
import { unusableDefinitions } from '#report';
import type { Problem, ToolReport } from '../../../report/tool-report.ts';
import type { FailedGate } from '../study-gate.ts';

/**
 * Identification of a rule by the source of its definition, version and path. If version and path are absent, the definition itself is
 * identified.
 */
type StudiedPlace = Pick<PlacedFindings, 'source'> & Partial<Pick<PlacedFindings, 'version' | 'path'>>;

/** Function that finds the file and location of a rule or a definition. */
export type RuleFinder = (rule: StudiedPlace) => { readonly file: string; readonly location?: NonNullable<EditorFinding['location']> };

/**
 * Returns a study as a report for tools. Its problems are unusable definitions, and rules that violate gates. Each rule is a test case.
 */
export function studyProblems(study: StudyReport, failed: readonly FailedGate[], find: RuleFinder): ToolReport {
  const byRule = Map.groupBy(failed, ({ rule }) => rule);
  const unusable = unusableDefinitions(study);
  const problem = (rule: string, place: StudiedPlace, message: string, name: string): Problem => {
    const { file, location } = find(place);
    return { rule, finding: { severity: 'error', message, ...(location && { location }) }, file, about: name };
  };
  return {
    rules: {
      ...(unusable.length > 0 && { definition: 'A server refuses the definition, or the study could not use it' }),
      ...Object.fromEntries(failed.map(({ gate }) => [gate.metric, `The bound ${gate.text} (assay bench --fail-on)`])),
    },
    problems: [
      ...unusable.map(({ source, name, why }) => problem('definition', { source }, why, name)),
      ...failed.map(({ rule, gate, text }) => problem(gate.metric, rule, text, about(rule))),
    ],
    cases: [
      ...unusable.map(({ source, name, why }): JunitCase => {
        const { file, location } = find({ source });
        return { name, classname: file, file, line: location?.line, failure: why };
      }),
      ...study.rules.map((rule): JunitCase => {
        const { file, location } = find(rule);
        const problems = byRule.get(rule)?.map(({ text }) => text);
        return { name: about(rule), classname: file, file, line: location?.line, failure: problems?.join('\n'), skipped: rule.notStudied };
      }),
    ],
  };
}

const about = ({ definition, version, path }: PlacedFindings): string => `rule ${path} of ${definition}/${version}`;
