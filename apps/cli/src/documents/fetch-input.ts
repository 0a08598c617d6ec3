import { UsageError } from '../usage.ts';

/** Maximum number of redirects that are followed. */
const MAX_REDIRECTS = 5;
/** Maximum size of an answer in bytes. The limit is larger than any bundle of definitions. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Maximum time for an answer, in ms. `--timeout` may be shorter. */
const TIMEOUT_MS = 30_000;

/** Returns true if a path begins with `http://` or `https://`. */
export const isAddress = (path: string): boolean => /^https?:\/\//i.test(path);

/**
 * Fetches the content at an address. The address and all redirects must use https. Throws {@link UsageError} with the reason of a failure.
 */
export async function fetchInput(address: string): Promise<Buffer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let url = new URL(address);
  try {
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      if (url.protocol !== 'https:') throw new UsageError(`${address}: must use https, not ${url.origin}`);
      const response = await fetch(url, { redirect: 'manual', signal });
      const next = response.headers.get('location');
      if (response.status >= 300 && response.status < 400 && next !== null) {
        await response.body?.cancel();
        url = new URL(next, url);
      } else if (response.ok) return await wholeBody(response, address);
      else throw new UsageError(`${address}: answered with status ${response.status}`);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (signal.aborted) throw new UsageError(`${address}: did not answer within ${TIMEOUT_MS / 1000} s`);
    const { message, cause } = error as Error;
    throw new UsageError(`${address}: cannot be fetched (${cause instanceof Error ? cause.message || cause.name : message})`);
  }
  throw new UsageError(`${address}: redirects more than ${MAX_REDIRECTS} times`);
}

async function wholeBody(response: Response, address: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.byteLength;
    if (length > MAX_BYTES) throw new UsageError(`${address}: has more than ${MAX_BYTES / 1024 / 1024} MiB`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
