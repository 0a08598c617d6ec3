/**
 * Matches a comment, a string (raw strings first, because they have no escapes), a word, or any other character that is no white space. A
 * string that is not closed goes to the end, so that each character is read once.
 */
const PART =
  /\/\/[^\n]*|[bB]?[rR](?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"[^"]*"?|'[^']*'?)|"""(?:\\[^]|[^\\])*?(?:"""|\\?$)|'''(?:\\[^]|[^\\])*?(?:'''|\\?$)|"(?:\\[^]|[^"\\])*"?|'(?:\\[^]|[^'\\])*'?|\w+|\S/g;
/** Maximum length in code units of a rule whose tokens are compared. */
const MAX_LENGTH = 65_536;

/**
 * Returns a text that is the same for two rules that differ only in comments, and in white space outside of their strings. Such rules mean and
 * cost the same. A rule of more than {@link MAX_LENGTH} code units is returned unchanged.
 */
export const ruleTokens = (rule: string): string =>
  rule.length > MAX_LENGTH ? rule : (rule.match(PART) ?? []).filter((part) => !part.startsWith('//')).join('\n');
