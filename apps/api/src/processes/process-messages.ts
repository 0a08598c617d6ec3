/**
 * Messages from an API process to the process that watches it. Scrapes have numbers, so that a late answer is not mistaken for the answer
 * to another scrape.
 */

/** Messages from an API process to the watching process. */
export type FromServing =
  /** It takes requests, under this URL. */
  | { readonly type: 'serving'; readonly url: string }
  /** It was asked for metrics, and wants those of all processes. */
  | { readonly type: 'scrape all'; readonly scrape: number }
  /** Its own metrics. */
  | { readonly type: 'scraped'; readonly scrape: number; readonly text: string };

/** Messages from the watching process to an API process. */
export type ToServing =
  { readonly type: 'scrape'; readonly scrape: number } | { readonly type: 'all scraped'; readonly scrape: number; readonly text: string };
