import type { BoundSuggestion, CostBound, MendingBound } from '#documents';
import { grouped } from '#numbers';
import { shownInLine } from '#report';

/**
 * Returns a text about a bound in the schema and its effect on the cost of a rule, such as `spec.list: no maxItems: unbounded (the rule
 * runs for each)`.
 */
export function boundText({ path, keyword, value, drives }: CostBound): string {
  const bound = value === null ? `no ${keyword}: unbounded` : `${keyword} ${grouped(value)}`;
  return `${shownInLine(path)}: ${bound}${drives === 'evaluations' ? ' (the rule runs for each)' : ''}`;
}

/**
 * Returns a text about suggested bounds that reduce a cost below its limit, such as `spec.list: maxItems 4,096 would do (now unbounded)`.
 */
export function suggestionText({ bounds }: BoundSuggestion): string {
  const wanted = bounds.map(({ path, keyword, suggested }) => `${shownInLine(path)}: ${keyword} ${grouped(suggested)}`);
  const now = bounds.map(({ value }) => (value === null ? 'unbounded' : grouped(value)));
  const before = new Set(now).size === 1 ? now[0] : now.join(', ');
  return bounds.length === 1 ? `${wanted.join('')} would do (now ${before})` : `${wanted.join(', ')} together would do (now ${before})`;
}

/** Returns a text about each bound that was added to a definition, such as `spec.list: maxItems 4096 (was 5000)`. Each text occurs once. */
export function addedBounds(bounds: readonly MendingBound[]): string[] {
  const texts = bounds.map(
    ({ path, keyword, suggested, before }) => `${path}: ${keyword} ${suggested}${before === null ? '' : ` (was ${before})`}`,
  );
  return [...new Set(texts)].map(shownInLine);
}
