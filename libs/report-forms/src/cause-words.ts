import { cut } from './cut-text.ts';

/** Part of the causes of different verdicts that {@link causeSentences} puts into words. */
interface KnownCauses {
  readonly to: string;
  readonly causes: readonly { readonly sentence: string; readonly upstream?: string | undefined }[];
  readonly hasSeveral: boolean;
}

/** Returns the sentences about the causes of different verdicts on a definition, each with its upstream change. */
export function causeSentences({ causes, hasSeveral, to }: KnownCauses): string[] {
  if (hasSeveral) return [`more than three changes of ${to} together`];
  if (causes.length === 0) return [`neither costs nor functions; docs/explanation/versions.md lists the changes of ${to}`];
  return causes.map(({ sentence, upstream }) => (upstream === undefined ? sentence : `${sentence} (${upstream})`));
}

/** Returns the text of a rule in one line with at most `width` code points. */
export const ruleInLine = (rule: string, width: number): string => cut(rule.replaceAll(/\s+/g, ' ').trim(), width);
