import type { JunitCase } from '#report';
import type { EvaluationOutcome } from '../../../evaluation/evaluate.ts';
import type { PlacedReport } from '../../../evaluation/place-findings.ts';
import type { ShownFinding } from '../../../report/finding-lines.ts';
import { PROBLEM_RULES, policyProblemRule, problemRule, toolReport } from '../../../report/tool-report.ts';
import type { Problem } from '../../../report/tool-report.ts';
import type { DocumentReports, EvaluationReport, EvaluationView } from './report.ts';

/** Report with one line per finding. The findings about policies come last. */
export class ProblemLines implements EvaluationReport {
  readonly #form: 'unix' | 'github';
  #ofPolicies: readonly Problem[] = [];

  constructor(form: 'unix' | 'github') {
    this.#form = form;
  }

  open(reports: DocumentReports, view: EvaluationView): string {
    this.#ofPolicies = problemsOfPolicies(reports, view);
    return this.#lines(problemsOfDefinitions(reports, view));
  }

  items(items: EvaluationOutcome['items'], view: EvaluationView): string {
    return this.#lines(problemsOfItems(items, view));
  }

  close(): string {
    return this.#lines(this.#ofPolicies);
  }

  #lines(problems: readonly Problem[]): string {
    return toolReport(this.#form, { rules: PROBLEM_RULES, problems, cases: [] });
  }
}

/**
 * Report that begins with counts, so that it is written at the end. It keeps findings, or one test case per document, and neither the
 * objects nor the files.
 */
export class GatheredProblems implements EvaluationReport {
  readonly #form: 'junit' | 'sarif';
  readonly #problems: Problem[] = [];
  readonly #cases: JunitCase[] = [];
  #ofPolicies: readonly Problem[] = [];

  constructor(form: 'junit' | 'sarif') {
    this.#form = form;
  }

  open(reports: DocumentReports, view: EvaluationView): string {
    if (this.#form === 'junit') this.#cases.push(...casesOfDocuments(reports));
    else {
      this.#gather(problemsOfDefinitions(reports, view));
      this.#ofPolicies = problemsOfPolicies(reports, view);
    }
    return '';
  }

  items(items: EvaluationOutcome['items'], view: EvaluationView): string {
    if (this.#form === 'junit') for (const item of items) this.#cases.push(caseOfItem(item, view));
    else this.#gather(problemsOfItems(items, view));
    return '';
  }

  close(): string {
    this.#gather(this.#ofPolicies);
    return toolReport(this.#form, { rules: PROBLEM_RULES, problems: this.#problems, cases: this.#cases });
  }

  /** Keeps problems without the lines of files, which would keep the texts of the files. */
  #gather(problems: readonly Problem[]): void {
    for (const { finding, file, about, rule } of problems) this.#problems.push({ finding, file, about, rule });
  }
}

const withRule = (one: ShownFinding): Problem => ({ ...one, rule: problemRule(one.finding, one.about) });

const problemsOfDefinitions = ({ definitions }: DocumentReports, view: EvaluationView): Problem[] =>
  definitions.flatMap((one) => view.findingsOf(one, `CustomResourceDefinition ${JSON.stringify(one.name)}`)).map(withRule);

const problemsOfItems = (items: EvaluationOutcome['items'], view: EvaluationView): Problem[] =>
  items.flatMap((item) => view.findingsOf(item, view.nameOf(item))).map(withRule);

const problemsOfPolicies = ({ policyReports = [] }: DocumentReports, view: EvaluationView): Problem[] =>
  policyReports.flatMap((report) => view.findingsOfPolicy(report)).map((one) => ({ ...one, rule: policyProblemRule(one.finding) }));

/** Returns a JUnit test case for each definition and each policy. */
function casesOfDocuments({ definitions, policyReports = [] }: DocumentReports): JunitCase[] {
  return [...definitions.map((one) => ({ ...one, kind: 'CustomResourceDefinition' })), ...policyReports].map((one) => ({
    ...caseOf(one),
    name: `${one.kind} ${JSON.stringify(one.name)}`,
    failure: one.status?.message,
  }));
}

/** Returns a JUnit test case for an object. If the object was not evaluated or was cancelled, its case is skipped. */
const caseOfItem = (item: EvaluationOutcome['items'][number], view: EvaluationView): JunitCase => ({
  ...caseOf(item),
  name: view.nameOf(item),
  failure: item.outcome === 'rejected' ? (item.status?.message ?? 'refused') : undefined,
  skipped: item.outcome === 'notEvaluated' || item.outcome === 'cancelled' ? (item.status?.message ?? item.outcome) : undefined,
});

function caseOf({ location, source, findings }: PlacedReport): Pick<JunitCase, 'classname' | 'file' | 'line'> {
  const line = findings?.find(({ severity }) => severity === 'error')?.location?.line ?? location?.line;
  const file = location?.file ?? source;
  return { classname: file, file, ...(line !== undefined && { line }) };
}
