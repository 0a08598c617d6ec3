import type { ClusterList } from '#cluster';
import type { DocumentSlice } from '#documents';
import { ProgressLine } from '../report/progress.ts';
import type { TriedObjects } from '../documents/objects-by-kind.ts';

/**
 * Stored objects of a cluster, which are read and validated page by page. The class shows the progress on one line. It also returns the
 * namespace and name of an object by the object's index.
 */
export class StoredObjects implements TriedObjects {
  readonly #list: ClusterList;
  readonly #what: string;
  readonly #progress = new ProgressLine();
  /** Objects that are read but have no verdict yet. `#first` is the index of the first object in `#open`. */
  #open: DocumentSlice[] = [];
  #first = 0;
  #judged = 0;

  /**
   * Wraps a list of stored objects.
   *
   * @param what name of the objects, for the progress line
   */
  constructor(list: ClusterList, what: string) {
    this.#list = list;
    this.#what = what;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly DocumentSlice[]> {
    for await (const page of this.#list) {
      this.#open = [...this.#open, ...page];
      yield page;
    }
  }

  /**
   * Returns the name of an object as `namespace/name`. Call it in the order of the objects, and only for objects that `done` has not yet
   * counted.
   */
  documentOf(index: number): { readonly source: string } {
    const slice = this.#open[index - this.#first];
    if (slice === undefined) return { source: '' };
    const { metadata = {} } = JSON.parse(Buffer.from(slice.bytes).toString()) as { metadata?: { namespace?: string; name?: string } };
    return { source: metadata.namespace === undefined ? (metadata.name ?? '') : `${metadata.namespace}/${metadata.name ?? ''}` };
  }

  /** Records that `count` more objects have verdicts, and updates the progress line. */
  done(count: number): void {
    this.#judged += count;
    this.#open = this.#open.slice(count);
    this.#first += count;
    const { count: read, remaining } = this.#list;
    this.#progress.report(
      () => `${this.#judged} of ${remaining === undefined ? 'at least ' : ''}${read + (remaining ?? 0)} ${this.#what} judged`,
    );
  }

  /** Removes the progress line. Returns the reason if the list ended early; undefined if the list was read completely. */
  end(): string | undefined {
    this.#progress.end();
    const { problem, count } = this.#list;
    return problem && `${problem.sentence}; ${count} of its objects were read`;
  }
}
