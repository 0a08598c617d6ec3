import type { PriceStore } from '#jobs';
import type { PriceBook } from '#runner/flow';

/** Minimum time in ms between two exchanges of prices (expected thread times of an item). */
const EXCHANGE_MS = 1000;

/**
 * Starts a timer that exchanges prices with other processes. A price is the expected thread time of an item. The exchange is skipped if
 * there are no prices to report or request. Returns a function that stops the timer.
 */
export function sharePrices(book: PriceBook, store: PriceStore): () => void {
  const exchange = async (): Promise<void> => {
    const updates = book.drainUpdates();
    if (updates.learned.size === 0 && updates.wanted.length === 0) return;
    for (const [digest, itemMs] of await store.exchange(updates)) book.adopt(digest, itemMs);
  };
  // If the store is unavailable, this exchange is lost. A price is sent again after its next change.
  const timer = setInterval(() => void exchange().catch(() => undefined), EXCHANGE_MS).unref();
  return () => clearInterval(timer);
}
