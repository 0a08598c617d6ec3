/**
 * Converts the line and column of an error to an offset in the expression, in UTF-16 code units. Line and column count from 1, and the
 * column is in code points. The offset is at most the length of the expression.
 */
export function offsetInExpression(expression: string, line: number, column: number): number {
  const lines = expression.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  const within = [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length;
  return Math.min(before + within, expression.length);
}
