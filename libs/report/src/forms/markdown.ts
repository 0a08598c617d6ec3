/** Returns a table in Markdown with an empty line before it. Returns no lines if there are no rows. Cells are escaped. */
export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const lines = rows.map((row) => `| ${row.map(markdownCell).join(' | ')} |`);
  return ['', `| ${headings.join(' | ')} |`, `|${' --- |'.repeat(headings.length)}`, ...lines];
}

/** Escapes a text for a line or a cell of a table in Markdown. The text cannot end the cell, contain markup or mention a user. */
export const markdownCell = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>()#+!|~]/g, '\\$&')
    .replaceAll('@', '@<!-- -->');

/** Returns a text as inline code in Markdown. The text is in one line and has no back-ticks. */
export const markdownCode = (text: string): string => `\`${text.replaceAll('`', '').replace(/\s+/g, ' ').trim()}\``;

/** Returns a text as a block of code in Markdown. `language` is the name of its language, such as `yaml`. */
export function markdownBlock(text: string, language = ''): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return ['', `${fence}${language}`, ...text.trimEnd().split('\n'), fence];
}
