import { setImmediate } from 'node:timers/promises';
import type { ChunkResult, CutDocument, DefinitionReport, DocumentOrigin, DocumentSlice, PolicyReport, Verdict } from '#documents';
import { findingsOf, SourceFile, UndefinedFields } from '#editing';
import type { EditorFinding, ReportedDocument } from '#editing';

/**
 * Maximum total size, in bytes, of the documents in which one answer locates fields. The total is limited because each of these documents
 * is parsed again on the event loop.
 */
const MAX_BYTES = 2 * 1024 * 1024;
/**
 * Maximum size, in bytes, of one document in which fields are located. For a larger document, only the location of its beginning is
 * reported, because the search would block other requests.
 */
const MAX_DOCUMENT_BYTES = 256 * 1024;

/** Location of a document in the request body. Line and column begin at 1; the column counts code points. */
interface BodyLocation {
  /** Index of the document among the definitions and objects of the body, from 0. */
  readonly document: number;
  readonly line: number;
  readonly column: number;
}

/** Location of a report's document in the request body, and the location of each problem that the report mentions. */
interface Located {
  readonly location?: BodyLocation;
  readonly findings?: readonly EditorFinding[];
}

/**
 * Finder of the source locations of definitions and objects in a request body. Its methods return the reports and verdicts of the response
 * with these locations added.
 */
export class LocatedBody {
  readonly #file: SourceFile;
  readonly #body: Uint8Array;
  readonly #definitions: readonly DocumentSlice[];
  readonly #objects: readonly DocumentSlice[];
  /** Byte offsets at which the documents begin, in ascending order. */
  readonly #starts: readonly number[];
  #left = MAX_BYTES;

  constructor(body: Uint8Array, documents: { readonly definitions: readonly DocumentSlice[]; readonly objects: readonly DocumentSlice[] }) {
    this.#file = new SourceFile(body);
    this.#body = body;
    this.#definitions = documents.definitions;
    this.#objects = documents.objects;
    const starts = [...documents.definitions, ...documents.objects].flatMap((slice) => this.#originOf(slice)?.start ?? []);
    this.#starts = [...new Set(starts)].sort((a, b) => a - b);
  }

  /** Returns the reports on the definitions, in the same order, with their locations added. */
  definitions(reports: readonly DefinitionReport[]): readonly (DefinitionReport & Located)[] {
    return reports.map((report, i) => ({ ...report, ...this.#located(report, this.#definitions[i]) }));
  }

  /**
   * Yields the results as they arrive, with locations added. Locations of fields are added only to verdicts that have a status, warnings or
   * hints.
   *
   * @param policyReports reports on the policies of the batch, which tell what the policies misspell
   */
  async *results(
    results: AsyncIterable<ChunkResult> | readonly ChunkResult[],
    policyReports: readonly PolicyReport[] = [],
  ): AsyncGenerator<ChunkResult> {
    const undefinedFields = new UndefinedFields(policyReports);
    for await (const result of results) {
      const verdicts: string[] = [];
      for (const text of result.verdicts) {
        const verdict = JSON.parse(text) as Verdict;
        const located = this.#located(verdict, this.#objects[verdict.index], undefinedFields);
        verdicts.push(JSON.stringify({ ...verdict, ...located }));
        // This lets other requests run between two documents.
        if (located.findings !== undefined) await setImmediate();
      }
      yield { ...result, verdicts, lines: undefined };
    }
  }

  #located(report: ReportedDocument, slice: DocumentSlice | undefined, undefinedFields?: UndefinedFields): Located {
    const origin = slice && this.#originOf(slice);
    if (origin === undefined) return {};
    const isSaid = report.status !== undefined || report.warnings.length > 0 || report.hints !== undefined;
    const length = origin.end - origin.start;
    const isRead = isSaid && length <= MAX_DOCUMENT_BYTES && length <= this.#left;
    const document = this.#starts.indexOf(origin.start);
    if (!isRead) return { location: { document, ...this.#file.lines.placeOf(origin.start) } };
    this.#left -= length;
    const source = this.#file.document(origin);
    const findings = findingsOf(report, source, undefinedFields);
    const { line, column } = source.beginning;
    return { location: { document, line, column }, ...(findings.length > 0 && { findings }) };
  }

  /**
   * Returns the byte range of a document in the body; undefined if the slice is not from the body. A JSON slice is a view of the body, so
   * its offset is the origin. A YAML slice stores its origin.
   */
  #originOf(slice: DocumentSlice & Partial<Pick<CutDocument, 'origin'>>): DocumentOrigin | undefined {
    if (slice.origin !== undefined) return slice.origin;
    if (slice.bytes.buffer !== this.#body.buffer) return undefined;
    const start = slice.bytes.byteOffset - this.#body.byteOffset;
    return { start, end: start + slice.bytes.length };
  }
}
