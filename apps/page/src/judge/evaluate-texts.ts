import { addTally, defaultOptions, emptyTally } from '#documents';
import type { DefinitionReport, EvaluationOptions, PolicyReport, Verdict } from '#documents';
import { readYaml } from '#go';
import type { Minor, Status } from '#kube';
import type { WorkPerformer } from '#runner/in-process';
import { prepareUnqueued } from '#service';
import { findingsOf, briefMessage, UndefinedFields } from '#editing';
import type { ReportedDocument } from '#editing';
import type { WorkSettings } from '../worker/serve-asks.ts';
import type { DocumentReport, Evaluation, PlacedFinding, RulePlace } from './judge-client.ts';
import { PANE_WORDS } from '../state/texts.ts';
import type { Texts } from '../state/texts.ts';
import { valueOf, writesIn } from './read-texts.ts';
import type { PaneDocument } from './read-texts.ts';
import { InProcessEngine } from '#runner/in-process';
import type { Engine } from '#runner';

let known: boolean | undefined;

/**
 * Returns true if the worker may compile code from text. If the worker's content security policy forbids this, rules are interpreted, with
 * the same verdicts and cost units.
 */
export function canCompile(): boolean {
  known ??= tryToCompile();
  return known;
}

function tryToCompile(): boolean {
  try {
    // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- it is found out by trying
    return typeof new Function('') === 'function';
  } catch {
    return false;
  }
}

/** Highest number of findings shown for one document, because a server's Status may contain tens of thousands. */
const MAX_FINDINGS = 500;
/** Length in characters above which a stored object is not shown. */
const MAX_STORED_LENGTH = 200_000;

/**
 * Returns the options with which the page evaluates documents for a Kubernetes minor version. They equal the defaults of the command line.
 * As with kubectl, unknown fields are refused.
 */
export const optionsFor = (minor: Minor): EvaluationOptions => ({
  ...defaultOptions(),
  kubernetesVersion: minor,
  fieldValidation: 'Strict',
  explain: true,
  returnObjects: true,
});

/**
 * Computes the verdicts on the texts in the editors of the page. Steps: cut texts into documents → pair objects with stored objects →
 * compute verdicts → find the position of each finding in its pane.
 */
export async function evaluateTexts(
  performer: WorkPerformer,
  { texts, minor }: { readonly texts: Texts; readonly minor: Minor },
  { signal, progress, alive }: WorkSettings,
): Promise<Evaluation> {
  const started = performance.now();
  const { definitions, policyDocuments, objects, written, policies } = writesIn(texts);
  const engine = reportingEngine(performer, alive);
  const slices = (documents: readonly PaneDocument[]) => documents.map(({ slice }) => slice);
  const outcome = await prepareUnqueued(engine, { definitions: slices(definitions), ...policies, options: optionsFor(minor) }, { signal });
  if (outcome.kind !== 'answered') return refusedWhole(outcome.status, started);
  const { definitions: reports, reviewed, judge } = outcome.answer;
  const tally = emptyTally();
  const verdicts: DocumentReport[] = [];
  const places = new RulePlaces(new Map(definitions.map((document, i) => [reports[i]?.name ?? '', document])));
  const policyReports = (await reviewed) ?? [];
  const definitionReports = reports.map((report, i) => writeReport(report, definitions[i], `CustomResourceDefinition ${report.name}`));
  const undefinedFields = new UndefinedFields(policyReports);
  const refused = refusedDefinitions(definitionReports);
  for await (const result of judge(slices(objects))) {
    addTally(tally, result.tally);
    for (const text of result.verdicts) {
      const verdict = JSON.parse(text) as Verdict;
      const document = objects[verdict.index];
      if (document === undefined) continue;
      const report = objectReport(verdict, document, { isUpdate: document !== written[verdict.index], undefinedFields, refused });
      verdicts.push({ ...report, failedRules: places.failed(verdict) });
    }
    progress(verdicts.length, objects.length);
  }
  return {
    definitions: definitionReports,
    policies: policyReports.map((report) => writeReport(report, policyDocuments[report.index], policyTitle(report))),
    objects: verdicts,
    counts: countOutcomes(verdicts),
    spentMs: performance.now() - started,
    compiles: canCompile(),
  };
}

function refusedWhole(status: Status, started: number): Evaluation {
  const report: DocumentReport = {
    pane: 'definitions',
    line: 1,
    title: 'These documents',
    outcome: 'notEvaluated',
    message: status.message,
    code: status.code,
    warnings: [],
    findings: [],
  };
  return {
    definitions: [report],
    policies: [],
    objects: [],
    counts: countOutcomes([]),
    spentMs: performance.now() - started,
    compiles: canCompile(),
  };
}

/** Counts the reports by outcome. Outcomes without a report have the count 0. */
export function countOutcomes(reports: Iterable<Pick<DocumentReport, 'outcome'>>): Evaluation['counts'] {
  const counts = { accepted: 0, rejected: 0, notEvaluated: 0, cancelled: 0 };
  for (const { outcome } of reports) counts[outcome]++;
  return counts;
}

const policyTitle = ({ kind, name }: PolicyReport): string => `${kind ?? 'Policy'} ${name ?? ''}`.trim();

function writeReport(report: DefinitionReport | PolicyReport, document: PaneDocument | undefined, title: string): DocumentReport {
  return { ...placed(report, document), title, outcome: report.accepted ? 'accepted' : 'rejected' };
}

type RefusedDefinitions = ReadonlyMap<string, NonNullable<DocumentReport['refusedDefinition']>>;

/** Returns the refused definitions by the message of the refusal. A server repeats this message for each object of the definition. */
const refusedDefinitions = (reports: readonly DocumentReport[]): RefusedDefinitions =>
  new Map(
    reports.flatMap(({ outcome, message, title, pane, line }) =>
      outcome === 'accepted' || message === undefined ? [] : [[message, { title, pane, line }] as const],
    ),
  );

/** Facts about the other documents that the report on an object needs. */
interface ObjectSurroundings {
  readonly isUpdate: boolean;
  readonly undefinedFields: UndefinedFields;
  readonly refused: RefusedDefinitions;
}

function objectReport(
  verdict: Verdict,
  document: PaneDocument,
  { isUpdate, undefinedFields, refused }: ObjectSurroundings,
): DocumentReport {
  const stored = verdict.object === undefined ? undefined : JSON.stringify(verdict.object, undefined, 2);
  const answer = placed(verdict, document, undefinedFields);
  const refusedDefinition = verdict.outcome === 'notEvaluated' ? refused.get(answer.message ?? '') : undefined;
  const isUnread = isUnreadable(verdict, document);
  return {
    ...answer,
    ...(refusedDefinition && { refusedDefinition, findings: [notJudged(answer.line)] }),
    ...(isUnread && { isUnread, findings: answer.findings.flatMap((finding) => atSyntaxError(finding, document)) }),
    title: titleOf(verdict, document),
    outcome: verdict.outcome,
    isUpdate,
    ...(verdict.cost && { cost: verdict.cost.cel, rules: verdict.cost.rules ?? [] }),
    ...(stored !== undefined && stored.length <= MAX_STORED_LENGTH && { stored }),
  };
}

const notJudged = (line: number): PlacedFinding => ({
  severity: 'note',
  message: 'not judged: its definition is refused',
  at: { line, column: 1, endLine: line, endColumn: 1 },
});

/**
 * Moves a finding about unreadable text to the line that contains the syntax error. The message of the server may name another line, mostly
 * the line before it. In this case, a note says so.
 */
function atSyntaxError(finding: PlacedFinding, document: PaneDocument): readonly PlacedFinding[] {
  const source = document.file.document(document.origin);
  const reading = readYaml(source.text);
  if (reading.ok || finding.severity !== 'error') return [finding];
  const { line } = source.placeOfLine(Math.max(reading.line, 1));
  const at = { line, column: 1, endLine: line, endColumn: 1 };
  const named = finding.at?.line;
  const note = `the error is in this line, although the server names line ${named}`;
  return [{ ...finding, at }, ...(named === undefined || named === line ? [] : [{ severity: 'note', message: note, at } as const])];
}

/** Returns a server's answer about a document, with the place of each finding in the pane. */
function placed(
  report: ReportedDocument,
  document: PaneDocument | undefined,
  undefinedFields?: UndefinedFields,
): Omit<DocumentReport, 'title' | 'outcome'> {
  const { status, warnings } = report;
  const source = document?.file.document(document.origin);
  const findings = findingsOf(report, source, undefinedFields)
    .slice(0, MAX_FINDINGS)
    .map((finding): PlacedFinding => ({
      severity: finding.severity,
      message: briefMessage(finding),
      ...(finding.field !== undefined && { field: finding.field }),
      ...(finding.location && { at: finding.location }),
    }));
  return {
    pane: document?.pane ?? 'definitions',
    line: source?.beginning.line ?? 1,
    warnings,
    findings,
    ...(status && { message: status.message, code: status.code, reason: status.reason }),
  };
}

/** Returns true if the text of a document cannot be read. Such a document counts as an object, whatever pane contains it. */
const isUnreadable = ({ kind, outcome }: Verdict, { slice }: PaneDocument): boolean =>
  kind === undefined && outcome === 'rejected' && valueOf(slice) === undefined;

/**
 * Returns the kind, the namespace and the name of an object. The namespace is the one in the text. A server adds the namespace
 * `default` only to the objects that it accepts, and titles should have one form. Reads kind and name from the text, too, if the
 * verdict lacks them because no definition matches the object.
 */
function titleOf({ kind, name, namespace, index }: Verdict, { pane, slice }: PaneDocument): string {
  const writtenKind = textAt(slice, 'kind');
  const told = kind ?? writtenKind;
  if (told === undefined) return pane === 'objects' ? `Object ${index + 1}` : `A document of ${PANE_WORDS[pane]}`;
  const toldName = name ?? textAt(slice, 'metadata', 'name');
  if (toldName === undefined) return kind === undefined ? told : `${told} (no name)`;
  // If the kind of the verdict is not the kind in the text, the document is a request around the object, such as an AdmissionReview. Then
  // only the verdict has the namespace.
  const place = told === writtenKind ? textAt(slice, 'metadata', 'namespace') : namespace;
  return `${told} ${place === undefined ? '' : `${place}/`}${toldName}`;
}

function textAt(slice: PaneDocument['slice'], ...keys: readonly string[]): string | undefined {
  const value = valueOf(slice, ...keys);
  return typeof value === 'string' ? value : undefined;
}

/** Maximum number of rules that are listed for one object. */
const MAX_RULES = 10;

/** Finder of rules in the texts of definitions. It searches for each rule only once. */
class RulePlaces {
  readonly #definitions: ReadonlyMap<string, PaneDocument>;
  readonly #found = new Map<string, RulePlace>();

  /** @param definitions documents of the definitions, by the name of the definition */
  constructor(definitions: ReadonlyMap<string, PaneDocument>) {
    this.#definitions = definitions;
  }

  /** Returns the rules whose results in a write were not true, each once and at most 10, with their places in the definition. */
  failed({ definition, cost }: Pick<Verdict, 'definition' | 'cost'>): readonly RulePlace[] {
    const rules = new Set((cost?.rules ?? []).flatMap(({ rule, failed }) => (failed ? [rule] : [])));
    return [...rules].slice(0, MAX_RULES).map((rule) => this.#placeOf(rule, definition ?? ''));
  }

  #placeOf(rule: string, definition: string): RulePlace {
    const key = `${definition} ${rule}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const document = this.#definitions.get(definition);
    const source = document?.file.document(document.origin);
    const range = source?.rangeUnder('rule', (text) => (text === rule ? 0 : undefined), '');
    const place = { rule, ...(document && range && { pane: document.pane, at: { line: range.line, column: range.column } }) };
    this.#found.set(key, place);
    return place;
  }
}

/**
 * Returns the engine of a worker. The engine calls `report` after each task to report that work continues, because the page ends a worker
 * that is silent for too long.
 */
export function reportingEngine(performer: WorkPerformer, report: () => void): Engine {
  const engine = new InProcessEngine(performer);
  return {
    threads: engine.threads,
    run: async (work, settings) => {
      const answer = await engine.run(work, settings);
      report();
      return answer;
    },
  };
}
