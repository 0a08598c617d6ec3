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

/** Pattern of a dot and the field that it selects. The name of the field may be in backticks. */
const SELECTED_FIELD = /^\.\??\s*(?:\w+|`[^`\n]*`)/;

/**
 * Returns the number of characters to which an error in an expression refers, in UTF-16 code units. The compiler reports an undefined field
 * at its dot: the range then includes the name of the field. Every other error refers to one character.
 *
 * @param at offset at which the compiler reports the error
 */
export function lengthInExpression(expression: string, at: number, message: string): number {
  if (!message.includes('undefined field')) return 1;
  return SELECTED_FIELD.exec(expression.slice(at))?.[0].length ?? 1;
}
