import type { ObjectList } from '#cluster';
import type { DocumentSlice } from '#evaluation';
import { ProgressLine } from '../progress.ts';
import type { TriedObjects } from '../what-if-command.ts';

/** Objects of a list on their way through the engine. Tells the progress, and names objects by namespace and name. */
export class StoredObjects implements TriedObjects {
  readonly #list: ObjectList;
  readonly #what: string;
  readonly #progress = new ProgressLine();
  /** Those whose judgement is not known yet, and the index of the first of them. */
  #open: DocumentSlice[] = [];
  #first = 0;
  #judged = 0;

  /** @param what they are, for the progress line */
  constructor(list: ObjectList, what: string) {
    this.#list = list;
    this.#what = what;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly DocumentSlice[]> {
    for await (const page of this.#list) {
      this.#open = [...this.#open, ...page];
      yield page;
    }
  }

  /** The name of an object that is judged: `namespace/name`. Asked in order, and only for objects that were not counted as done. */
  documentOf(index: number): { readonly source: string } {
    const slice = this.#open[index - this.#first];
    if (slice === undefined) return { source: '' };
    const { metadata = {} } = JSON.parse(Buffer.from(slice.bytes).toString()) as { metadata?: { namespace?: string; name?: string } };
    return { source: metadata.namespace === undefined ? (metadata.name ?? '') : `${metadata.namespace}/${metadata.name ?? ''}` };
  }

  /** Notes that so many more are judged. */
  done(count: number): void {
    this.#judged += count;
    this.#open = this.#open.slice(count);
    this.#first += count;
    const { count: read, remaining } = this.#list;
    this.#progress.report(
      () => `${this.#judged} of ${remaining === undefined ? 'at least ' : ''}${read + (remaining ?? 0)} ${this.#what} judged`,
    );
  }

  /** Takes the progress line away, and says why the list ended before its end; undefined where it did not. */
  end(): string | undefined {
    this.#progress.end();
    const { problem, count } = this.#list;
    return problem && `${problem.sentence}; ${count} of its objects were read`;
  }
}
