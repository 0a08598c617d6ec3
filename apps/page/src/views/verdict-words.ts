import { minorWords } from '#kube';
import { grouped } from '#numbers';
import type { DocumentReport, Evaluation, PlacedFinding } from '../judge/judge-client.ts';

/** Verdict on all documents in one sentence, with additional short facts. */
export interface VerdictWords {
  /**
   * Kind of verdict: `good` if a server accepts everything, and `none` if there is nothing to evaluate. It is `expensive` if costs are the only
   * cause of a refusal, and `bad` after any other refusal. It is `open` if documents have no verdict.
   */
  readonly kind: 'good' | 'bad' | 'expensive' | 'open' | 'none';
  readonly heading: string;
  /** First error of the first document that is refused; absent if nothing is refused, or if the refusal has no single errors. */
  readonly reason?: string;
  readonly facts: readonly string[];
}

type Reports = readonly Pick<DocumentReport, 'outcome' | 'findings'>[];

/**
 * Returns the verdict on all documents in words. Refused definitions come first, because no object can be validated against a refused
 * definition.
 */
export function verdictWords(
  { definitions, policies, objects, counts }: Pick<Evaluation, 'definitions' | 'policies' | 'objects' | 'counts'>,
  minor: string,
): VerdictWords {
  const server = `Kubernetes ${minorWords(minor)}`;
  const unread = objects.filter(({ isUnread }) => isUnread === true);
  if (unread.length > 0)
    return {
      kind: 'bad',
      heading: `${unread.length === 1 ? unread[0]?.title : `${grouped(unread.length)} documents`} cannot be read`,
      ...firstReason(unread),
      facts: objectFacts({ ...counts, rejected: counts.rejected - unread.length }),
    };
  const written = [...definitions, ...policies];
  const noun = policies.length === 0 ? 'definition' : definitions.length === 0 ? 'policy' : 'definition or policy';
  const cost = objects.reduce((sum, one) => sum + Math.max(one.cost ?? 0, 0), 0);
  const costFacts = objects.length > 0 && counts.notEvaluated < objects.length ? [`${grouped(cost)} cost units`] : [];
  if (written.length + objects.length === 0) return { kind: 'none', heading: 'Nothing to judge yet', facts: [] };
  const refused = refusedIn(written);
  if (refused > 0)
    return {
      ...refusal(`${counted(refused, written.length, noun)} refused by ${server}`, written),
      ...firstReason(written),
      facts: [...objectFacts(counts), ...costFacts],
    };
  const warned = written.reduce((sum, { findings }) => sum + findings.filter(({ severity }) => severity === 'warning').length, 0);
  const warnings = warned === 0 ? '' : `, with ${warned === 1 ? 'a warning' : `${grouped(warned)} warnings`}`;
  const beside = written.length === 0 ? [] : [`${written.length === 1 ? noun : plural(noun)} accepted${warnings}`];
  const facts = [...beside, ...costFacts];
  if (objects.length === 0)
    return { kind: 'good', heading: `${wholeWords(written.length, noun)} accepted by ${server}${warnings}`, facts: [] };
  if (counts.rejected > 0)
    return {
      ...refusal(`${counted(counts.rejected, objects.length, 'object')} refused by ${server}`, objects),
      ...firstReason(objects),
      facts,
    };
  const open = counts.notEvaluated + counts.cancelled;
  if (open > 0) return { kind: 'open', heading: `${counted(open, objects.length, 'object')} not judged`, facts };
  return { kind: 'good', heading: `${wholeWords(objects.length, 'object')} accepted by ${server}`, facts };
}

/** Returns the kind and the heading of a refusal. The heading names the cost if it is the only cause. */
function refusal(heading: string, reports: Reports): Pick<VerdictWords, 'kind' | 'heading'> {
  const isTooExpensive = !reports.some((report) => toneOf(report) === 'refused');
  return isTooExpensive ? { kind: 'expensive', heading: `${heading}: too expensive` } : { kind: 'bad', heading };
}

/**
 * Pattern of an error kind at the beginning of a message, if a reader understands the message without the kind. If a quoted value follows
 * the kind, the pattern does not match: a message that begins with the value is not clear.
 */
const CLEAR_KIND = /^(?:Invalid value|Forbidden): (?!")/;

/** Pattern of the line at the beginning of a message about unreadable YAML. The parser of a server names the wrong line in many cases. */
const YAML_LINE = /^(?:error converting YAML to JSON: )?yaml: line \d+: /;

/** Returns the first error of the first document that is refused. If there are several documents, the name of the document comes first. */
function firstReason(reports: readonly Pick<DocumentReport, 'outcome' | 'title' | 'findings'>[]): Pick<VerdictWords, 'reason'> {
  const refused = reports.find(({ outcome }) => outcome === 'rejected');
  const error = refused && errorsOf(refused)[0];
  if (refused === undefined || error === undefined) return {};
  const place = error.at === undefined ? undefined : `line ${error.at.line}: `;
  const message = error.message.replace(CLEAR_KIND, '').replace(YAML_LINE, (named) => place ?? named);
  return { reason: reports.length === 1 ? message : `${refused.title}: ${message}` };
}

const refusedIn = (reports: Reports): number => reports.filter(({ outcome }) => outcome !== 'accepted').length;

/** Returns the number of objects for each outcome as short texts. */
function objectFacts(counts: Evaluation['counts']): readonly string[] {
  const words = { accepted: 'accepted', rejected: 'refused', notEvaluated: 'not judged', cancelled: 'stopped' } as const;
  return (Object.keys(words) as (keyof typeof words)[])
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${grouped(counts[outcome])} ${counts[outcome] === 1 ? 'object' : 'objects'} ${words[outcome]}`);
}

const PLURALS: Readonly<Record<string, string>> = { policy: 'policies', 'definition or policy': 'definitions and policies' };
const plural = (noun: string): string => PLURALS[noun] ?? `${noun}s`;

/** Returns a text such as `1 of 2 objects`, or only the noun if there is only one object. */
function counted(some: number, all: number, noun: string): string {
  if (all === 1) return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
  return some === all ? `All ${grouped(all)} ${plural(noun)}` : `${grouped(some)} of ${grouped(all)} ${plural(noun)}`;
}

const wholeWords = (all: number, noun: string): string => counted(all, all, noun);

/**
 * Meaning of a report: `accepted`, `warned` (accepted, with a warning), `refused`, `expensive` (refused only because of a cost), or `open` (there
 * is no verdict). Each meaning has its own sign and its own colour.
 */
export type Tone = 'accepted' | 'warned' | 'refused' | 'expensive' | 'open';

/** Signs that are shown beside the words, because many people cannot tell the colours apart. */
export const TONE_SIGNS: Readonly<Record<Tone, string>> = { accepted: '✓', warned: '⚠', refused: '✗', expensive: '↑', open: '?' };

/** Pattern of a server's errors about a cost that exceeds a limit. */
const COST = /estimated \w+ cost (?:exceeds budget|total)|out of cost budget|call cost exceeds limit|actual cost limit exceeded/;
/** Pattern of errors about the sum of all costs. A server adds them to the error about the rule that is too expensive. */
const SUM = /contributed to estimated rule cost total|estimated rule cost total for entire/;

type Judged = Pick<DocumentReport, 'outcome' | 'findings'>;

/** Returns the meaning of a report. */
export function toneOf({ outcome, findings }: Judged): Tone {
  if (outcome === 'accepted') return findings.some(({ severity }) => severity === 'warning') ? 'warned' : 'accepted';
  if (outcome !== 'rejected') return 'open';
  const errors = errorsOf({ findings });
  return errors.length > 0 && errors.every(({ message }) => COST.test(message)) ? 'expensive' : 'refused';
}

/**
 * Splits the findings of a report into those to read first, and errors that follow from them. A rule that is too expensive alone causes
 * three errors: one about the rule, and two about the sum of all rules.
 */
export function splitFindings(findings: readonly PlacedFinding[]): {
  readonly main: readonly PlacedFinding[];
  readonly following: readonly PlacedFinding[];
} {
  const isCause = ({ message }: PlacedFinding): boolean => COST.test(message) && !SUM.test(message);
  if (!findings.some(isCause)) return { main: findings, following: [] };
  const isFollowing = ({ message }: PlacedFinding): boolean => SUM.test(message);
  return { main: findings.filter((finding) => !isFollowing(finding)), following: findings.filter(isFollowing) };
}

/** Returns the errors of a report. */
export const errorsOf = ({ findings }: Pick<DocumentReport, 'findings'>): readonly PlacedFinding[] =>
  findings.filter(({ severity }) => severity === 'error');
