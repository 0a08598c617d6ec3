import type { CostNode } from './cost-node.ts';

/** Formats a count with its digits in groups of three. */
export const groupedDigits = (count: bigint | number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** Formats a share in per cent. A share above zero is never written as 0. */
export function percentText(share: number): string {
  if (share === 0) return '0 %';
  if (share < 0.001) return 'below 0.1 %';
  return `${share >= 0.0995 ? Math.round(100 * share) : (100 * share).toFixed(1)} %`;
}

/** Number of parts that a description names. */
const NAMED = 5;
/** Maximum number of characters of a part's text in a description. */
const NAMED_LENGTH = 80;

/** Returns the text alternative of a picture for readers who cannot see it: the total cost, and the parts with the highest own costs. */
export function costDescription(root: CostNode): string {
  const parts = dearestParts(root).slice(0, NAMED);
  const named = parts.map(({ node, share }) => `${percentText(share)} ${shortened(node.text)}`);
  const whole = `The whole costs ${groupedDigits(root.total)} units.`;
  return named.length === 0 ? whole : `${whole} What costs most by itself: ${named.join('; ')}.`;
}

/**
 * Returns the parts of an expression whose own cost (cost without the parts inside them) is above zero, the most expensive first. `share`
 * is a part's own cost divided by the root's total cost, from 0 to 1.
 */
export function dearestParts(root: CostNode): readonly { readonly node: CostNode; readonly share: number }[] {
  const all: CostNode[] = [];
  const visit = (node: CostNode): void => {
    if (node.own > 0n) all.push(node);
    node.parts.forEach(visit);
  };
  visit(root);
  const share = ({ own }: CostNode): number => (root.total === 0n ? 0 : Math.min(1, Number(own) / Number(root.total)));
  return all.toSorted((a, b) => (b.own > a.own ? 1 : b.own < a.own ? -1 : 0)).map((node) => ({ node, share: share(node) }));
}

function shortened(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  return characters.length <= NAMED_LENGTH ? characters.join('') : `${characters.slice(0, NAMED_LENGTH - 1).join('')}…`;
}
