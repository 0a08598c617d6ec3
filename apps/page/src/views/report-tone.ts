import type { DocumentReport, PlacedFinding } from '../judge/judge-messages.ts';

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
