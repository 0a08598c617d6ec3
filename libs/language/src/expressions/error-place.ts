/**
 * Converts the line and column of an error to an offset in the expression, in UTF-16 code units. Line and column count from 1, and the
 * column is in code points.
 */
export function offsetInExpression(text: string, line: number, column: number): number {
  const lines = text.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return before + [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length;
}
