import { describe, expect, it } from 'vitest';
import { PriceBook, UNKNOWN_ITEM_MS } from './price-book.ts';

describe('the price book', () => {
  it('reports a price again only if it changed much', () => {
    const book = new PriceBook();
    const reported = (): unknown => [...book.drainUpdates().learned];
    book.set('a', 1);
    expect(reported()).toEqual([['a', 1]]);
    for (const price of [1.1, 1.2]) book.set('a', price);
    expect(reported()).toEqual([]);
    book.set('a', 1.3);
    expect(reported()).toEqual([['a', 1.3]]);
  });

  it('requests unknown prices until it learns or receives one', () => {
    const book = new PriceBook();
    expect(book.priceOf(['a', 'b', 'c'])).toBe(UNKNOWN_ITEM_MS);
    book.set('b', 2);
    expect(book.drainUpdates().wanted).toEqual(['a', 'c']);
    book.adopt('a', 4);
    book.adopt('b', 100);
    expect([book.priceOf(['a']), book.priceOf(['b']), book.priceOf(['a', 'b'])]).toEqual([4, 2, 3]);
    expect([...book.drainUpdates().learned]).toEqual([]);
  });

  it('stores only as many updates as one exchange sends', () => {
    const book = new PriceBook();
    for (let i = 0; i < 3000; i++) {
      book.priceOf([`unknown-${i}`]);
      book.set(`known-${i}`, 1);
    }
    const { learned, wanted } = book.drainUpdates();
    expect([learned.size, wanted.length]).toEqual([1000, 1000]);
  });
});
