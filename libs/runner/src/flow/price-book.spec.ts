import { describe, expect, it } from 'vitest';
import { PriceBook, UNKNOWN_ITEM_MS } from './price-book.ts';

describe('the list of measured times per object ("prices") of definitions', () => {
  it('reports a price again if it changed by 30 %, but not by 20 %', () => {
    const book = new PriceBook();
    const reported = (): unknown => [...book.drainUpdates().learned];
    book.set('a', 1);
    expect(reported()).toEqual([['a', 1]]);
    for (const price of [1.1, 1.2]) book.set('a', price);
    expect(reported()).toEqual([]);
    book.set('a', 1.3);
    expect(reported()).toEqual([['a', 1.3]]);
  });

  it('requests only unknown prices, and prefers its own price to a received price', () => {
    const book = new PriceBook();
    expect(book.priceOf(['a', 'b', 'c'])).toBe(UNKNOWN_ITEM_MS);
    book.set('b', 2);
    expect(book.drainUpdates().wanted).toEqual(['a', 'c']);
    book.adopt('a', 4);
    book.adopt('b', 100);
    expect([book.priceOf(['a']), book.priceOf(['b']), book.priceOf(['a', 'b'])]).toEqual([4, 2, 3]);
    expect([...book.drainUpdates().learned]).toEqual([]);
  });

  it('stores at most 1,000 prices and 1,000 requests, as many as one exchange sends', () => {
    const book = new PriceBook();
    for (let i = 0; i < 3000; i++) {
      book.priceOf([`unknown-${i}`]);
      book.set(`known-${i}`, 1);
    }
    const { learned, wanted } = book.drainUpdates();
    expect([learned.size, wanted.length]).toEqual([1000, 1000]);
  });
});
