/** What tries a pattern on a text: Assay for a yes or no, Assay for the match itself, and the platform's own for a yes or no. */
export const REGEX_ENGINES = ['test', 'find', 'RegExp'] as const;

/** One of {@link REGEX_ENGINES}. */
export type RegexEngine = (typeof REGEX_ENGINES)[number];

/** Whether a text names one of them. */
export function isRegexEngine(text: string | undefined): text is RegexEngine {
  return (REGEX_ENGINES as readonly (string | undefined)[]).includes(text);
}
