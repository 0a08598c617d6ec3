import { isJsonObject } from '#go';
import { readSlice, scanElements, scanMembers } from '#documents';
import type { DocumentSlice } from '#documents';
import { z } from 'zod';
import type { ApiReader } from './api-reader.ts';
import { read, unread } from './reading.ts';
import type { ClusterProblem, ClusterReading } from './reading.ts';

/** Number of objects per page, the same number that kubectl requests. */
const PAGE = 500;

/** Resource whose objects are listed. */
export interface ListedResource {
  /** API path of the resource, such as `/apis/example.com/v1/widgets`. */
  readonly path: string;
  /** Type of the items. It is added to items in which the list omits it, as lists of built-in kinds do. */
  readonly type?: { readonly apiVersion: string; readonly kind: string };
}

/**
 * Reader that yields all objects of a resource page by page.
 *
 * While the caller processes one page, the next page is being read; all other pages are discarded or not yet read. If the server no longer
 * has the state of the list (410), the list is read again and continues after the last object. This is possible because servers list
 * objects in the order of namespace and name. If a page is too large, it is read in smaller pages.
 */
export class ClusterList implements AsyncIterable<readonly DocumentSlice[]> {
  /** Problem that ended the list early; undefined if there was none. */
  problem: ClusterProblem | undefined;
  /** Number of objects read so far. */
  count = 0;
  /** Number of objects that are not yet read, as the last page reported; undefined if it did not report a number. */
  remaining: number | undefined;
  readonly #reader: ApiReader;
  readonly #resource: ListedResource;
  readonly #signal: AbortSignal | undefined;
  #limit: number;

  constructor(
    reader: ApiReader,
    resource: ListedResource,
    { limit = PAGE, signal }: { readonly limit?: number; readonly signal?: AbortSignal } = {},
  ) {
    this.#reader = reader;
    this.#resource = resource;
    this.#limit = limit;
    this.#signal = signal;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly DocumentSlice[]> {
    let next: Promise<ClusterReading<Page>> | undefined = this.#page('');
    let last: DocumentSlice | undefined;
    let behind: string | undefined;
    while (next !== undefined) {
      const page: ClusterReading<Page> = await next;
      if (!page.ok && page.problem.kind === 'expired') {
        behind = last && keyOf(last);
        next = this.#page('');
        continue;
      }
      if (!page.ok) {
        this.problem = page.problem;
        return;
      }
      const { token, remaining, items: all }: Page = page.value;
      next = token === '' || this.#signal?.aborted ? undefined : this.#page(token);
      // The caller may stop before this loop awaits the next page. Without this handler, Node would then report a failed page as an
      // unhandled rejection.
      next?.catch(() => undefined);
      const items = behind === undefined ? all : after(all, behind);
      if (items.length > 0) behind = undefined;
      last = items.at(-1) ?? last;
      this.count += items.length;
      this.remaining = token === '' ? 0 : remaining;
      if (items.length > 0) yield items;
    }
  }

  async #page(token: string): Promise<ClusterReading<Page>> {
    for (;;) {
      const query = new URLSearchParams({ limit: String(this.#limit), ...(token !== '' && { continue: token }) });
      const body = await this.#reader.get(`${this.#resource.path}?${query.toString()}`, this.#signal);
      if (body.ok) return pageOf(body.value, this.#resource);
      if (body.problem.kind !== 'tooLarge' || this.#limit === 1) return body;
      this.#limit = Math.max(1, this.#limit >> 2);
    }
  }
}

interface Page {
  readonly items: readonly DocumentSlice[];
  /** Token that requests the next page; empty if there is no further page. */
  readonly token: string;
  readonly remaining: number | undefined;
}

const listMeta = z.object({ continue: z.string().default(''), remainingItemCount: z.number().optional() });

/** Splits a page into its objects without parsing the objects. */
function pageOf(bytes: Buffer, { path, type }: ListedResource): ClusterReading<Page> {
  const noList = unread('failed', `${path}: the answer is no list`);
  const scan = scanMembers(bytes);
  if (!scan.ok) return noList;
  const at = (key: string) => scan.spans.find((span) => span.key === key);
  const [metaSpan, itemSpan] = [at('metadata'), at('items')];
  if (itemSpan === undefined) return noList;
  const meta = listMeta.safeParse(metaSpan === undefined ? {} : JSON.parse(bytes.toString('utf8', metaSpan.start, metaSpan.end)));
  if (!meta.success) return noList;
  const isNull = bytes.toString('utf8', itemSpan.start, itemSpan.end) === 'null';
  const spans = isNull ? [] : scanElements(bytes, itemSpan, Infinity);
  if (spans === undefined) return noList;
  const items = spans.map(({ start, end }): DocumentSlice => {
    const slice = bytes.subarray(start, end);
    return { bytes: type === undefined ? slice : typed(slice, type), notation: 'json' };
  });
  return read({ items, token: meta.data.continue, remaining: meta.data.remainingItemCount });
}

/** Returns an item with `apiVersion` and `kind`, which are added if the item lacks them. Lists of built-in kinds omit them. */
function typed(bytes: Buffer, type: NonNullable<ListedResource['type']>): Buffer {
  const scan = scanMembers(bytes);
  const lacks = scan.ok && scan.spans.every(({ key }) => key !== 'kind');
  return lacks ? Buffer.concat([Buffer.from(`${JSON.stringify(type).slice(0, -1)},`), bytes.subarray(bytes.indexOf('{') + 1)]) : bytes;
}

/** Returns the items whose storage key (namespace and name) comes after `key`. The items must be in the order of these keys. */
function after(items: readonly DocumentSlice[], key: string): readonly DocumentSlice[] {
  const first = items.findIndex((item) => Buffer.compare(Buffer.from(keyOf(item)), Buffer.from(key)) > 0);
  return first < 0 ? [] : items.slice(first);
}

/** Returns the key by which a server orders objects in its storage: namespace and name. */
function keyOf(slice: DocumentSlice): string {
  const reading = readSlice(slice);
  const metadata = reading.ok && isJsonObject(reading.value) ? reading.value['metadata'] : undefined;
  const { namespace, name } = isJsonObject(metadata) ? metadata : {};
  return typeof namespace === 'string' ? `${namespace}/${String(name)}` : String(name);
}
