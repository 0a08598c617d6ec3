import { grouped, roughPercent } from '#numbers';
import type { CostNode } from './cost-node.ts';

/** Number of parts that a description names. */
const NAMED = 5;
/** Maximum number of characters of a part's text in a description. */
const NAMED_LENGTH = 80;

/** Returns the text alternative of a picture for readers who cannot see it: the total cost, and the parts with the highest own costs. */
export function costDescription(root: CostNode): string {
  const parts = dearestParts(root).slice(0, NAMED);
  const named = parts.map(({ node, share }) => `${roughPercent(share)} ${shortened(node.text)}`);
  const whole = `The whole costs ${grouped(root.total)} units.`;
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
