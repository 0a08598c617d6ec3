import type { PartPrice } from '#documents';
import { grouped } from '#numbers';

/** Maximum width of the shown source text, in characters. */
const TEXT_WIDTH = 100;
/**
 * Share of the total cost that the marked parts must reach together. Parts are marked in descending order of their cost without subparts.
 */
const MARKED_SHARE = 0.5;

interface Row {
  readonly text: string;
  readonly part: PartPrice;
}

/** Returns true if the printed cost tree of a rule shows the whole text of the rule, without shortening it. */
export const isShownWhole = (rule: string): boolean => excerpt(rule.trim()) === rule.trim();

/**
 * Returns the cost tree of a rule as indented lines in source order. Each line shows one part of the rule, its cost including its subparts,
 * and the number of its evaluations. The figures are estimated, and also measured if measurements exist. Marks show the parts that cause
 * most of the cost.
 */
export function partLines(root: PartPrice): string[] {
  const rows = rowsOf(root, 0);
  const estimates = [
    column('estimate', rows, ({ estimate }) => grouped(estimate.total.max)),
    column('times', rows, ({ estimate }) => `×${grouped(estimate.evaluations)}`),
  ];
  const measurements = [
    column('actual', rows, ({ actual }) => grouped(actual?.total ?? 0)),
    column('times', rows, ({ actual }) => `×${grouped(actual?.evaluations ?? 0)}`),
  ];
  const columns = root.actual === undefined ? estimates : [...estimates, ...measurements];
  const cellsOf = (line: number): string => columns.map((cells) => cells[line]).join('  ');
  const shares = [
    sharesOf('the estimate', rows, ({ estimate }) => Number(estimate.own.max)),
    sharesOf('the actual cost', rows, ({ actual }) => actual?.own ?? 0),
  ];
  const lines = rows.map(({ text, part }, i) => {
    const marks = shares.flatMap((marked) => marked.get(part) ?? []);
    return `${cellsOf(i + 1)}  ${text}${marks.length === 0 ? '' : `  ◄ ${marks.join(', ')}`}`;
  });
  return [cellsOf(0), ...lines];
}

function rowsOf(part: PartPrice, depth: number): Row[] {
  return [{ text: '  '.repeat(depth) + excerpt(part.text), part }, ...part.parts.flatMap((inner) => rowsOf(inner, depth + 1))];
}

function excerpt(text: string): string {
  const codePoints = [...text.replace(/\s+/g, ' ')];
  return codePoints.length > TEXT_WIDTH ? `${codePoints.slice(0, TEXT_WIDTH - 1).join('')}…` : codePoints.join('');
}

/** Returns the cells of a column with its title first, all padded to one width. */
function column(title: string, rows: readonly Row[], cell: (part: PartPrice) => string): string[] {
  const cells = [title, ...rows.map(({ part }) => cell(part))];
  const width = Math.max(...cells.map((text) => text.length));
  return cells.map((text) => text.padStart(width));
}

/**
 * Returns the parts that together cause at least `MARKED_SHARE` of the cost, each with its share as text. Returns no parts if there is only
 * one part.
 */
function sharesOf(of: string, rows: readonly Row[], own: (part: PartPrice) => number): ReadonlyMap<PartPrice, string> {
  const parts = rows.map(({ part }) => part).sort((a, b) => own(b) - own(a));
  const whole = parts.reduce((sum, part) => sum + own(part), 0);
  const marked = new Map<PartPrice, string>();
  let reached = 0;
  for (const part of parts) {
    if (parts.length === 1 || reached >= MARKED_SHARE * whole) break;
    reached += own(part);
    marked.set(part, `${Math.round((100 * own(part)) / whole)} % of ${of}`);
  }
  return marked;
}
