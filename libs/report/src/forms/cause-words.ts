import { cutText } from './shown-text.ts';

/** Part of the causes of different verdicts or texts that {@link causeSentences} puts into words. */
interface KnownCauses {
  readonly to: string;
  readonly causes: readonly { readonly sentence: string; readonly upstream?: string | undefined }[];
  readonly hasSeveral: boolean;
}

/** Returns the sentences about the causes of different verdicts or texts, each with its upstream change. */
export function causeSentences({ causes, hasSeveral, to }: KnownCauses): string[] {
  const sentences = causes.map(({ sentence, upstream }) => (upstream === undefined ? sentence : `${sentence} (${upstream})`));
  if (hasSeveral) sentences.push(`more than three changes of costs in ${to} together`);
  return sentences.length > 0 ? sentences : [`the cause is not known; docs/explanation/versions.md lists the changes of ${to}`];
}

/** Versions that differ, and what differs. */
interface DifferingVersions {
  readonly from: string;
  readonly to: string;
  readonly about: 'verdict' | 'texts';
}

/** Returns a heading such as `why 1.37 differs from 1.36`. */
export const causeHeading = ({ from, to, about }: DifferingVersions): string =>
  about === 'verdict' ? `why ${to} differs from ${from}` : `why the texts of ${to} differ from those of ${from}`;

/** Returns the text of a rule in one line with at most `width` code points. */
export const ruleInLine = (rule: string, width: number): string => cutText(rule.replaceAll(/\s+/g, ' ').trim(), width);
