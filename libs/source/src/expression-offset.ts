/** Returns the offset in an expression, in UTF-16 code units, of a line and column. */
export function offsetOf(expression: string, line: number, column: number): number {
  const lines = expression.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  const within = [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length;
  return Math.min(before + within, expression.length);
}
