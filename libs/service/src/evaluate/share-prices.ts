import type { PriceBook, PriceStore } from '#queue';

/** Prices are exchanged this often at most, ms. */
const EXCHANGE_MS = 1000;

/** Exchanges the prices of this process with other processes while there is news. Returns a function that stops the exchange. */
export function sharePrices(book: PriceBook, store: PriceStore): () => void {
  const exchange = async (): Promise<void> => {
    const news = book.takeNews();
    if (news.learned.size === 0 && news.wanted.length === 0) return;
    for (const [digest, itemMs] of await store.exchange(news)) book.adopt(digest, itemMs);
  };
  // Where the store is away, a price is told when it changes again.
  const timer = setInterval(() => void exchange().catch(() => undefined), EXCHANGE_MS).unref();
  return () => clearInterval(timer);
}
