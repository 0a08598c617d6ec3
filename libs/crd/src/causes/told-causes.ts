import { fieldErrorText, KUBE_CHANGES, separates } from '#kube';
import type { Change, FieldError, Minor } from '#kube';
import type { DefinitionVerdict } from '../verdict.ts';
import { wordedDefinitionErrors } from '../wording/error-wording.ts';

/** Error or warning of a verdict, with the differences that decide about it. */
export interface Complaint {
  readonly text: string;
  /** The field error; undefined for a warning, and for a Status without field errors. */
  readonly error: FieldError | undefined;
  readonly isWarning: boolean;
  /** Differences because of which some versions do not tell it. */
  readonly because: readonly Change[];
  /** Differences because of which other versions use other words. */
  readonly wordedBy: readonly Change[];
}

/** Parts of a verdict on a definition or an object that a server tells. */
export type ToldVerdict = Pick<DefinitionVerdict, 'accepted' | 'status' | 'errors' | 'warnings' | 'changes'>;

/** Verdict of a server of one minor version. */
export interface MinorVerdict {
  readonly minor: Minor;
  readonly verdict: ToldVerdict;
}

/** Function that returns errors with the texts of a minor version. */
type WordErrors = (errors: readonly FieldError[], minor: Minor) => readonly FieldError[];

/** Explanation of the different verdicts of two servers on a document, or of their different texts about it. */
export interface ToldDifference {
  /** Differences that explain it. */
  readonly changes: readonly Change[];
  /** Errors and warnings that these differences do not explain. */
  readonly open: readonly Complaint[];
}

/**
 * Returns the differences that explain why two servers have different verdicts on a document, or why they tell different texts. Errors and
 * warnings carry the entries of ledgers because of which a server reports or words them.
 *
 * @param wordErrors by default, the words of errors about definitions
 */
export function toldDifference(before: MinorVerdict, after: MinorVerdict, wordErrors: WordErrors = wordedDefinitionErrors): ToldDifference {
  const isFlip = before.verdict.accepted !== after.verdict.accepted;
  const [former, latter] = [toldBy(before, wordErrors), toldBy(after, wordErrors)];
  const refusing = (before.verdict.accepted ? latter : former).filter(({ isWarning }) => !isWarning);
  const differing = isFlip ? refusing : [...onlyIn(former, latter), ...onlyIn(latter, former)];
  const isBetween = (change: Change): boolean => change.sentence !== '' && separates(change, before.minor, after.minor);
  const changes = new Map<string, Change>();
  const open: Complaint[] = [];
  for (const told of differing) {
    const because = told.because.filter(isBetween);
    const causes = because.length > 0 || isFlip ? because : told.wordedBy.filter(isBetween);
    if (causes.length === 0) open.push(told);
    for (const change of causes) changes.set(change.name, change);
  }
  return { changes: [...changes.values()], open };
}

function onlyIn(some: readonly Complaint[], others: readonly Complaint[]): Complaint[] {
  const texts = new Set(others.map(({ text }) => text));
  return some.filter(({ text }) => !texts.has(text));
}

function toldBy({ minor, verdict }: MinorVerdict, wordErrors: WordErrors): Complaint[] {
  const { errors, status, warnings, changes } = verdict;
  const words = wordErrors(errors, minor).map(fieldErrorText);
  const ofErrors = errors.map((error, i): Complaint => {
    const text = words[i] as string;
    const inGo = text === fieldErrorText(error) ? [] : [KUBE_CHANGES.valuesAreJson];
    return { text, error, isWarning: false, because: error.because ?? [], wordedBy: [...(error.wordedBy ?? []), ...inGo] };
  });
  const other = (text: string, isWarning: boolean): Complaint => {
    const because = changes?.get(text) ?? [];
    return { text, error: undefined, isWarning, because, wordedBy: because };
  };
  const early = status !== undefined && errors.length === 0 ? [other(status.message, false)] : [];
  return [...ofErrors, ...early, ...warnings.map((text) => other(text, true))];
}
