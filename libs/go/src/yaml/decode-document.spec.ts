import { describe, expect, it } from 'vitest';
import { AliasBudget } from './decode-document.ts';

/** Calls `count` for `nodes` decoded nodes. `share` is the fraction of nodes that come from aliases; these nodes are distributed evenly. */
function decode(nodes: number, share: number): void {
  const budget = new AliasBudget();
  let aliased = 0;
  for (let i = 1; i <= nodes; i++) {
    const isAliased = aliased < Math.floor(i * share);
    if (isAliased) aliased++;
    budget.count(isAliased);
  }
}

describe('the share of YAML nodes that come from aliases', () => {
  it.each([
    [1000, 1, true],
    [1002, 1, false],
    [400_000, 0.98, true],
    [400_000, 0.995, false],
    [2_200_000, 0.5, true],
    [2_200_000, 0.6, false],
    [4_000_000, 0.09, true],
    [4_100_000, 0.12, false],
  ])('is limited: of %i nodes a share of %f is accepted: %s', (nodes, share, taken) => {
    if (taken) expect(() => decode(nodes, share)).not.toThrow();
    else expect(() => decode(nodes, share)).toThrow('document contains excessive aliasing');
  });

  it('is limited to a tenth for documents with more than four million nodes', () => {
    const budget = new AliasBudget();
    for (let i = 0; i < 4_000_000; i++) budget.count(i % 20 === 0);
    // 200,000 nodes came from aliases so far. With 300,000 more, the share exceeds a tenth.
    expect(() => {
      for (let i = 0; i < 300_000; i++) budget.count(true);
    }).toThrow('document contains excessive aliasing');
  });
});
