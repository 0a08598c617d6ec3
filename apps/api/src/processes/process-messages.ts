/**
 * Messages from an API process to the process that watches it. Scrapes have numbers, so that a late answer is not mistaken for the answer
 * to another scrape.
 */

/** Messages from a process that serves the API to the parent process, which watches all of these processes. */
export type FromServing =
  /** Message that the process accepts requests at this URL. */
  | { readonly type: 'serving'; readonly url: string }
  /**
   * Message that the process received a request for metrics and needs the metrics of all processes for the answer. `scrape` is the number
   * that the answer repeats.
   */
  | { readonly type: 'scrape all'; readonly scrape: number }
  /** Message with the metrics of the process that sends it. `scrape` is the number from the request that it answers. */
  | { readonly type: 'scraped'; readonly scrape: number; readonly text: string };

/**
 * Messages to a process that serves the API, from the parent process that watches it. `scrape` requests the metrics of the process, and
 * `all scraped` returns the metrics of all processes.
 */
export type ToServing =
  | { readonly type: 'scrape'; readonly scrape: number }
  | { readonly type: 'all scraped'; readonly scrape: number; readonly text: string };
