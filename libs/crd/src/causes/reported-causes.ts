import { fieldErrorText, KUBE_CHANGES, separates } from '#kube';
import type { Change, FieldError, Minor } from '#kube';
import type { DefinitionVerdict, ObjectVerdict } from '../verdict.ts';
import { wordedDefinitionErrors, wordedErrors } from '../wording/error-wording.ts';
import type { VerdictCause } from './compile-causes.ts';

/** Error or warning of a verdict, with the differences that decide about it. */
export interface Complaint {
  readonly text: string;
  /** The field error; undefined for a warning, and for a Status without field errors. */
  readonly error: FieldError | undefined;
  readonly isWarning: boolean;
  /** Differences because of which some versions do not report it. */
  readonly because: readonly Change[];
  /** Differences because of which other versions use other words. */
  readonly wordedBy: readonly Change[];
}

/** Parts of a verdict on a definition or an object that a server reports to the client. */
export type ReportedVerdict = Pick<DefinitionVerdict, 'accepted' | 'status' | 'errors' | 'warnings' | 'changes'>;

/** Verdict of a server of one minor version. */
export interface MinorVerdict {
  readonly minor: Minor;
  readonly verdict: ReportedVerdict;
}

/** Function that returns errors with the texts of a minor version. */
type WordErrors = (errors: readonly FieldError[], minor: Minor) => readonly FieldError[];

/** Explanation of the different verdicts of two servers on a document, or of their different texts about it. */
export interface ReportedDifference {
  /** Differences that explain it. */
  readonly changes: readonly Change[];
  /** Errors and warnings that these differences do not explain. */
  readonly open: readonly Complaint[];
}

/**
 * Returns the differences that explain why two servers have different verdicts on a document, or why they report different texts. Errors and
 * warnings contain the entries of ledgers because of which a server reports or words them.
 *
 * @param wordErrors by default, the words of errors about definitions
 */
export function reportedDifference(
  before: MinorVerdict,
  after: MinorVerdict,
  wordErrors: WordErrors = wordedDefinitionErrors,
): ReportedDifference {
  const isFlip = before.verdict.accepted !== after.verdict.accepted;
  const [former, latter] = [complaintsOf(before, wordErrors), complaintsOf(after, wordErrors)];
  const refusing = (before.verdict.accepted ? latter : former).filter(({ isWarning }) => !isWarning);
  const differing = isFlip ? refusing : [...onlyIn(former, latter), ...onlyIn(latter, former)];
  const isBetween = (change: Change): boolean => change.sentence !== '' && separates(change, before.minor, after.minor);
  const changes = new Map<string, Change>();
  const open: Complaint[] = [];
  for (const complaint of differing) {
    const because = complaint.because.filter(isBetween);
    const causes = because.length > 0 || isFlip ? because : complaint.wordedBy.filter(isBetween);
    if (causes.length === 0) open.push(complaint);
    for (const change of causes) changes.set(change.name, change);
  }
  return { changes: [...changes.values()], open };
}

function onlyIn(some: readonly Complaint[], others: readonly Complaint[]): Complaint[] {
  const texts = new Set(others.map(({ text }) => text));
  return some.filter(({ text }) => !texts.has(text));
}

function complaintsOf({ minor, verdict }: MinorVerdict, wordErrors: WordErrors): Complaint[] {
  const { errors, status, warnings, changes } = verdict;
  const words = wordErrors(errors, minor).map(fieldErrorText);
  const ofErrors = errors.map((error, i): Complaint => {
    const text = words[i] as string;
    const inGo = text === fieldErrorText(error) ? [] : [KUBE_CHANGES.valuesAreJson];
    return { text, error, isWarning: false, because: error.because ?? [], wordedBy: [...(error.wordedBy ?? []), ...inGo] };
  });
  const other = (text: string, kind: 'error' | 'warning'): Complaint => {
    const because = changes?.get(text) ?? [];
    return { text, error: undefined, isWarning: kind === 'warning', because, wordedBy: because };
  };
  const early = status !== undefined && errors.length === 0 ? [other(status.message, 'error')] : [];
  return [...ofErrors, ...early, ...warnings.map((text) => other(text, 'warning'))];
}

/** Verdict of a server of one minor version on a write of an object. */
export interface JudgedWrite {
  readonly minor: Minor;
  readonly verdict: Exclude<ObjectVerdict, { cancelled: true }>;
}

/**
 * Returns the entries of ledgers that explain why two servers have different verdicts on a write of an object, or report different errors
 * about it. The result is empty if they report the same, or if no cause is known, such as for the values of rules.
 */
export function objectCauses(before: JudgedWrite, after: JudgedWrite): readonly VerdictCause[] {
  const { changes } = reportedDifference(minorVerdictOf(before), minorVerdictOf(after), wordedErrors);
  return changes.map(({ name, sentence, upstream }) => ({ name, sentence, upstream }));
}

function minorVerdictOf({ minor, verdict }: JudgedWrite): MinorVerdict {
  const refusal = verdict.accepted ? { status: undefined, errors: [] } : { status: verdict.status, errors: verdict.errors };
  return { minor, verdict: { accepted: verdict.accepted, warnings: verdict.warnings, ...refusal } };
}
