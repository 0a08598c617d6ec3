/**
 * Returns the lines of `cause` that do not occur in any of the documents. Comments at the ends of lines do not count. Lines of `cause` that
 * consist of `---` separate its parts.
 */
export function missingLines(cause: string, documents: readonly string[]): string[] {
  const text = documents.join('\n');
  const lines = text.split('\n').map((line) => line.trim());
  const shown = cause.split('\n').map((line) => line.replace(/ # .*/, '').trim());
  return shown.filter((line) => line !== '---' && !lines.some((one) => one.includes(line)) && !text.includes(line));
}
