import type { Text } from '@codemirror/state';
import type { Position, Range } from '#editing/language';
import type { PlacedFinding } from '../judge/judge-client.ts';

/**
 * Converts a position of the language service (line and UTF-16 code unit in the line, both from 0) to an offset in the text. A position
 * after the end of the text counts as the end of the text.
 */
export function offsetOf(text: Text, { line, character }: Position): number {
  if (line >= text.lines) return text.length;
  const { from, length } = text.line(Math.max(0, line) + 1);
  return from + Math.min(Math.max(0, character), length);
}

/** Returns the position of an offset in the format of the language service: line and UTF-16 code unit, both from 0. */
export function positionOf(text: Text, offset: number): Position {
  const { from, number } = text.lineAt(offset);
  return { line: number - 1, character: offset - from };
}

/** Converts a range of the language service (lines and columns) to the offsets of its start and end in the editor's text. */
export function spanOf(text: Text, { start, end }: Range): { readonly from: number; readonly to: number } {
  const from = offsetOf(text, start);
  return { from, to: Math.max(from, offsetOf(text, end)) };
}

/**
 * Converts the location of a finding to a range of the language service. The location counts lines and columns from 1, and columns in code
 * points.
 */
export function rangeOfFinding(text: Text, { line, column, endLine, endColumn }: NonNullable<PlacedFinding['at']>): Range {
  return { start: codePointPosition(text, line, column), end: codePointPosition(text, endLine, endColumn) };
}

function codePointPosition(text: Text, line: number, column: number): Position {
  if (line > text.lines) return positionOf(text, text.length);
  const before = [...text.line(Math.max(1, line)).text].slice(0, column - 1).join('');
  return { line: Math.max(1, line) - 1, character: before.length };
}
