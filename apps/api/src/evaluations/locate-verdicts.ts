import { setImmediate } from 'node:timers/promises';
import type { ChunkResult, CutDocument, DefinitionReport, DocumentOrigin, DocumentSlice, Verdict } from '#evaluation';
import { findingsOf, SourceFile } from '#source';
import type { Finding } from '#source';
import type { Status } from '#kube';

/** Bytes of documents in which fields are looked up for one answer: each is read once more for that, here on the event loop. */
const MOST_BYTES = 2 * 1024 * 1024;
/** Documents longer than this are told by their beginning only, so that nobody waits for one. */
const LONGEST = 256 * 1024;

/** The place of a document in the body. Line and column begin at 1; the column counts code points. */
interface BodyLocation {
  /** Its number among the definitions and objects of the body, from 0. */
  readonly document: number;
  readonly line: number;
  readonly column: number;
}

/** A report with its place in the body, and with each thing that is said of it. */
interface Located {
  readonly location?: BodyLocation;
  readonly findings?: readonly Finding[];
}

/** The documents of a body and their places in it, for one answer. */
export class LocatedBody {
  readonly #file: SourceFile;
  readonly #body: Uint8Array;
  readonly #definitions: readonly DocumentSlice[];
  readonly #objects: readonly DocumentSlice[];
  /** The beginnings of documents, in order. */
  readonly #starts: readonly number[];
  #left = MOST_BYTES;

  constructor(body: Uint8Array, documents: { readonly definitions: readonly DocumentSlice[]; readonly objects: readonly DocumentSlice[] }) {
    this.#file = new SourceFile(body);
    this.#body = body;
    this.#definitions = documents.definitions;
    this.#objects = documents.objects;
    const starts = [...documents.definitions, ...documents.objects].flatMap((slice) => this.#originOf(slice)?.start ?? []);
    this.#starts = [...new Set(starts)].sort((a, b) => a - b);
  }

  /** The reports on the definitions, in their order, with places. */
  definitions(reports: readonly DefinitionReport[]): readonly (DefinitionReport & Located)[] {
    return reports.map((report, i) => ({ ...report, ...this.#located(report, this.#definitions[i]) }));
  }

  /** Results as they come, with places where something is said of an object. */
  async *results(results: AsyncIterable<ChunkResult> | readonly ChunkResult[]): AsyncGenerator<ChunkResult> {
    for await (const result of results) {
      const verdicts: string[] = [];
      for (const text of result.verdicts) {
        const verdict = JSON.parse(text) as Verdict;
        const located = this.#located(verdict, this.#objects[verdict.index]);
        verdicts.push(JSON.stringify({ ...verdict, ...located }));
        // Others may run between two documents that were read.
        if (located.findings !== undefined) await setImmediate();
      }
      yield { ...result, verdicts };
    }
  }

  #located(report: { readonly status?: Status; readonly warnings: readonly string[] }, slice: DocumentSlice | undefined): Located {
    const origin = slice && this.#originOf(slice);
    if (origin === undefined) return {};
    const isSaid = report.status !== undefined || report.warnings.length > 0;
    const length = origin.end - origin.start;
    const isRead = isSaid && length <= LONGEST && length <= this.#left;
    const document = this.#starts.indexOf(origin.start);
    if (!isRead) return { location: { document, ...this.#file.lines.placeOf(origin.start) } };
    this.#left -= length;
    const source = this.#file.document(origin);
    const findings = findingsOf(report, source);
    const { line, column } = source.beginning;
    return { location: { document, line, column }, ...(findings.length > 0 && { findings }) };
  }

  /** Slices of JSON are views of the body; those of YAML say where they are from. */
  #originOf(slice: DocumentSlice & Partial<Pick<CutDocument, 'origin'>>): DocumentOrigin | undefined {
    if (slice.origin !== undefined) return slice.origin;
    if (slice.bytes.buffer !== this.#body.buffer) return undefined;
    const start = slice.bytes.byteOffset - this.#body.byteOffset;
    return { start, end: start + slice.bytes.length };
  }
}
