/** The parts of an entry of a ledger that {@link ledgerProblems} checks. */
interface Entry {
  readonly since: number;
  readonly seen?: { readonly sentence: string; readonly upstream: string } | undefined;
  readonly unseen?: string;
}

/** Upstream changes: a pull request, or a file and its version. */
const UPSTREAM = /^[a-z][a-z-]*#\d+$|^[\w./-]+ (v?\d[\w.-]*) [\w./-]+\.go$/i;

/**
 * Returns the problems of the entries of a ledger, such as a difference without a sentence for users, or a sentence that names another version.
 */
export function ledgerProblems(ledger: Readonly<Record<string, Entry>>): string[] {
  return Object.entries(ledger).flatMap(([name, entry]) => problems(entry).map((problem) => `${name} ${problem}`));
}

function problems({ since, seen, unseen }: Entry): string[] {
  if (seen === undefined) return unseen === undefined || unseen === '' ? ['says neither what users see nor why they see nothing'] : [];
  const { sentence, upstream } = seen;
  return [
    ...(sentence.startsWith(`Since 1.${since}, `) ? [] : [`does not begin with "Since 1.${since}, "`]),
    ...(/[.\n]$/.test(sentence) ? ['ends with a full stop'] : []),
    ...(sentence.split(' ').length > 25 ? ['has more than 25 words'] : []),
    ...(sentence.split('`').length % 2 === 1 ? [] : ['has a code mark without its counterpart']),
    ...(/\bminors?\b/.test(sentence) ? ['calls a version of Kubernetes a minor'] : []),
    ...(UPSTREAM.test(upstream) ? [] : [`names no upstream change: ${upstream}`]),
  ];
}
