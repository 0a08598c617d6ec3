import { groupOf } from '#kube';
import { compositeNotice, supersededDefinitions, takenOffNotice } from '#documents';
import { indented, shownInLine } from '#report';
import { times } from '#numbers';
import type { EvaluationOutcome, PlacedVerdict } from '../../../evaluation/evaluate.ts';
import { policyReportLines, findingLines } from '../../../report/finding-lines.ts';
import type { Counts, DocumentReports, EvaluationReport, EvaluationView } from './report.ts';
import { sameNameNotes, OUTCOME_WORDS, placeText } from '../../../report/words.ts';
import { yamlText } from '../../../report/yaml-text.ts';

/** Outcome of an evaluation without its objects. */
type Judged = DocumentReports & Counts;

/** Conditions of a definition that are normally true. They are reported only if they are not true. */
const USUAL: readonly string[] = ['NamesAccepted', 'Established', 'KubernetesAPIApprovalPolicyConformant'];

/** Highest number of accepted definitions and policies that are listed. Above this number, the summary only counts them. */
const LISTED = 10;

/** Report as readable text: refusals with reasons and locations, warnings, and the counts. */
export class TextReport implements EvaluationReport {
  readonly #left: LeftObjects = new Map();
  #reports: DocumentReports = { definitions: [] };

  open(reports: DocumentReports, view: EvaluationView): string {
    this.#reports = reports;
    const { definitions, policyReports = [] } = reports;
    return textOf([
      ...definitions.flatMap((one) => definitionLines(one, view)),
      ...policyReports.flatMap((report) => policyLines(report, view)),
    ]);
  }

  items(items: EvaluationOutcome['items'], view: EvaluationView): string {
    return textOf(itemLines({ items, definitions: this.#reports.definitions }, view, this.#left));
  }

  close({ summary, skipped }: Counts, view: EvaluationView): string {
    return textOf(closingLines({ ...this.#reports, summary, skipped }, view, this.#left));
  }
}

const textOf = (lines: readonly string[]): string => (lines.length === 0 ? '' : `${lines.join('\n')}\n`);

/** Number of objects that have no verdict because their definition is refused, by the name of the definition. */
type LeftObjects = Map<string, number>;

/**
 * Returns the last lines of an evaluation report: notes and the summary. Before them come the numbers of objects without a verdict (`left`),
 * or the accepted definitions and policies if there are no objects.
 */
function closingLines(outcome: Judged, view: EvaluationView, left: LeftObjects): string[] {
  return [
    ...[...left].map(([name, count]) => shownInLine(`${times(count, 'object')} of ${name} not evaluated: the definition is refused`)),
    ...(hasObjects(outcome) || view.quiet ? [] : acceptedLines(outcome)),
    ...notes(outcome),
    summaryLine(outcome, view),
  ];
}

/** Returns a line for each accepted definition and policy; no lines if they are many, because the summary counts them. */
function acceptedLines({ definitions, policyReports = [] }: Judged): string[] {
  const all = [...definitions.map((one) => ({ ...one, kind: 'CustomResourceDefinition' })), ...policyReports];
  const accepted = all.filter((one) => one.accepted);
  if (accepted.length > LISTED) return [];
  return accepted.map((one) => shownInLine(`${placeText(one)}: ${one.kind} ${JSON.stringify(one.name)} accepted`));
}

const hasObjects = ({ summary, skipped }: Counts): boolean => summary.items + skipped > 0;

function policyLines(report: NonNullable<EvaluationOutcome['policyReports']>[number], view: EvaluationView): string[] {
  if (!view.asServer && report.location !== undefined) return view.findingsOfPolicy(report).flatMap(findingLines);
  // A server's answer to a write contains no type checking, because the server writes these results later, into the status of the policy.
  const { typeChecking: _, ...answer } = report;
  return policyReportLines(answer);
}

function definitionLines(definition: EvaluationOutcome['definitions'][number], view: EvaluationView): string[] {
  const { name, accepted, status, warnings, conditions = [] } = definition;
  const about = `CustomResourceDefinition ${JSON.stringify(name)}`;
  const place = placeText(definition);
  const unusual = conditions.filter(({ type, status: state }) => !(state === 'True' && USUAL.includes(type)));
  const lines = view.asServer
    ? [
        ...(accepted ? [] : [shownInLine(`${place}: definition ${name || '(unnamed)'} refused`), block(status?.message ?? '')]),
        ...warnings.map((warning) => shownInLine(`${place}: warning: ${warning}`)),
      ]
    : [...view.findingsOf(definition, about).flatMap(findingLines), ...helpLines(definition)];
  return [
    ...lines,
    ...unusual.map(({ type, status: state, reason, message }) =>
      shownInLine(`${place}: ${about}: ${type} is ${state} (${reason}): ${message}`),
    ),
  ];
}

/**
 * Returns a line that names the command for finding bounds. Returns no lines unless rules of the definition cost too much and its file is
 * known.
 */
function helpLines({ location, status }: EvaluationOutcome['definitions'][number]): string[] {
  const isTooExpensive = status?.details?.causes?.some(({ message }) => message?.includes('exceeds budget by factor') === true) === true;
  return isTooExpensive && location
    ? [shownInLine(`  help: assay explain ${location.file} shows the costs, and bounds that suffice, if any`)]
    : [];
}

/** Returns the lines about each object. Objects of rejected definitions have no lines; `left` is their number. */
function itemLines(
  { items, definitions }: Pick<EvaluationOutcome, 'items' | 'definitions'>,
  view: EvaluationView,
  left: LeftObjects,
): string[] {
  if (view.asServer) return items.flatMap((item) => verdictLines(item, view));
  const superseded = supersededDefinitions(definitions);
  const refused = new Map(
    definitions.flatMap(({ accepted, group, kind, name }, i) =>
      accepted || superseded.has(i) ? [] : [[`${group}/${kind}`, name] as const],
    ),
  );
  return items.flatMap((item) => {
    const { outcome, apiVersion = '', kind } = item;
    const name = outcome === 'notEvaluated' ? refused.get(`${groupOf(apiVersion)}/${kind}`) : undefined;
    if (name === undefined) return verdictLines(item, view);
    left.set(name, (left.get(name) ?? 0) + 1);
    return [];
  });
}

function verdictLines(item: PlacedVerdict, view: EvaluationView): string[] {
  const { outcome, status, warnings, cost, admission, object } = item;
  const price = cost && cost.cel > 0 ? ` (CEL cost ${cost.cel})` : '';
  const about = view.nameOf(item);
  const heading = shownInLine(`${placeText(item)}: ${about} ${OUTCOME_WORDS[outcome]}${price}`);
  const called = (admission?.webhooks ?? []).filter(({ called }) => called);
  const isLeftOut = outcome === 'accepted' && view.quiet;
  const rules = [
    ...called.map(({ configuration, webhook }) => block(`webhook ${webhook} of ${configuration} would be asked (it is never called here)`)),
    ...(cost?.rules ?? []).map((rule) => block(`cost ${String(rule.cost).padStart(8)}  ${rule.path}: ${rule.rule}`)),
    ...(object === undefined || isLeftOut ? [] : [block(yamlText(object).trimEnd())]),
  ];
  if (view.asServer)
    return [
      ...(isLeftOut && warnings.length === 0 ? [] : [heading]),
      ...(status ? [block(status.message)] : []),
      ...warnings.map((warning) => block(`warning: ${warning}`)),
      ...rules,
    ];
  const findings = view.findingsOf(item, about).flatMap(findingLines);
  // If there are findings, they already show that the object is rejected, so the heading would repeat this.
  const isSaid = outcome === 'rejected' && findings.length > 0;
  return [...(isSaid || isLeftOut ? [] : [heading]), ...findings, ...rules];
}

function notes({ summary, definitions }: Judged): string[] {
  const notice = takenOffNotice(summary.takenOff + definitions.filter(({ takenOff }) => takenOff).length, '--as-sent');
  const notices = [notice, compositeNotice(definitions)].filter((one) => one !== undefined);
  return [...notices, ...sameNameNotes(definitions)].map((note) => shownInLine(`Note: ${note}`));
}

/**
 * Returns the line with the counts. If the files hold objects, the line counts their outcomes. If they hold only definitions and policies,
 * the line counts how many of these a server accepts.
 */
function summaryLine({ definitions, policyReports = [], summary, skipped }: Judged, { files }: EvaluationView): string {
  const { accepted, rejected, notEvaluated, celCost } = summary;
  const refused = definitions.filter((definition) => !definition.accepted).length;
  const unstored = policyReports.filter((report) => !report.accepted).length;
  const isOfObjects = hasObjects({ summary, skipped });
  const read = [
    ...(isOfObjects ? [times(summary.items, 'object')] : []),
    ...counted(definitions.length, 'definition', isOfObjects ? refused : 0),
    ...counted(policyReports.length, 'policy document', isOfObjects ? unstored : 0),
  ];
  const place = `Summary: ${read.length > 2 ? `${read[0]}, ${read[1]}` : read[0]}${read.length > 1 ? ` and ${read.at(-1)}` : ''} in ${times(files, 'file')}`;
  const stored = definitions.length + policyReports.length - refused - unstored;
  if (!isOfObjects) return `${place} - Accepted: ${stored}, Refused: ${refused + unstored}`;
  const passed = skipped === 0 ? '' : `, Skipped: ${skipped} (no definition)`;
  return `${place} - Accepted: ${accepted}, Refused: ${rejected}, Not evaluated: ${notEvaluated}${passed}, CEL cost: ${celCost}`;
}

const counted = (count: number, what: string, refused: number): string[] =>
  count === 0 ? [] : [`${times(count, what)}${refused > 0 ? ` (${refused} refused)` : ''}`];

const block = (text: string): string => indented(text);
