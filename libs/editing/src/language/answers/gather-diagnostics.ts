import type { Advice } from '#crd';
import type { Minor } from '#kube';
import { shownMinors } from './answers.ts';
import type { Diagnostic } from './answers.ts';
import type { PlacedPart, TextDocument } from '../open-texts/text-document.ts';
import { briefMessage, findingsOf } from '../../findings/findings.ts';
import { rangeOfAdvice } from '../../texts/advice-place.ts';
import type { EditorFinding, ReportedDocument } from '../../findings/findings.ts';

/**
 * Collector of the diagnostics of a text for several Kubernetes minor versions. A diagnostic that several minor versions report is returned
 * only once. If only some selected minor versions report a diagnostic, its message lists these versions.
 */
export class GatheredDiagnostics {
  readonly #document: TextDocument;
  readonly #minors: readonly Minor[];
  readonly #found = new Map<string, { readonly diagnostic: Diagnostic; readonly minors: Set<Minor> }>();

  constructor(document: TextDocument, minors: readonly Minor[]) {
    this.#document = document;
    this.#minors = minors;
  }

  /** Adds the findings of a server about a document. If `item` is given, the findings concern this item of a list. */
  add(part: PlacedPart, minor: Minor, findings: ReportedDocument, item?: number): void {
    for (const finding of findingsOf(findings, part.part.placed(item))) this.#add(this.#diagnosticOf(part, finding), minor);
  }

  /** Adds the syntax error of a document. */
  addSyntaxError(part: PlacedPart): void {
    const error = part.part.syntaxError;
    if (error === undefined) return;
    const { positions } = this.#document;
    const line = Math.min(part.line + Math.max(error.line, 1) - 1, positions.lines - 1);
    const text = positions.lineText(line);
    const start = text.length - text.trimStart().length;
    const range = { start: { line, character: start }, end: { line, character: text.length } };
    for (const minor of this.#minors) this.#add({ range, severity: 'error', message: error.message }, minor);
  }

  /**
   * Adds advice about a definition, as hints for all selected Kubernetes minor versions. Each piece of advice is placed at the rule or
   * keyword that it is about.
   */
  addAdvice(part: PlacedPart, advice: readonly Advice[]): void {
    const source = part.part.placed();
    for (const one of advice) {
      const place = rangeOfAdvice(one, source);
      if (place === undefined) continue;
      const range = this.#document.rangeOf(part, { ...place, endLine: place.end.line, endColumn: place.end.column });
      for (const minor of this.#minors) this.#add({ range, severity: 'hint', message: one.text, code: one.id }, minor);
    }
  }

  /** All diagnostics, sorted by position in the text. */
  get all(): Diagnostic[] {
    return [...this.#found.values()]
      .map(({ diagnostic, minors }) => {
        if (minors.size === this.#minors.length) return diagnostic;
        return { ...diagnostic, message: `${diagnostic.message}\n(${diagnostic.severity} on ${shownMinors([...minors])})` };
      })
      .toSorted(({ range: a }, { range: b }) => a.start.line - b.start.line || a.start.character - b.start.character);
  }

  #diagnosticOf(part: PlacedPart, finding: EditorFinding): Diagnostic {
    const { location, severity, reason, field } = finding;
    const place = location ?? { line: 1, column: 1, endLine: 1, endColumn: 1 };
    const message = briefMessage(finding);
    // A server repeats the error of a broken rule for each default below the rule. So the message does not name the field of such a
    // default.
    const isOfRule = message.startsWith('rule compile error: ');
    return {
      range: this.#document.rangeOf(part, place),
      severity: severity === 'note' ? 'information' : severity,
      message: field === undefined || isOfRule ? message : `${field}: ${message}`,
      ...(reason !== undefined && { code: reason }),
    };
  }

  #add(diagnostic: Diagnostic, minor: Minor): void {
    const { line, character } = diagnostic.range.start;
    const key = `${line}:${character} ${diagnostic.severity} ${diagnostic.message}`;
    const known = this.#found.get(key);
    if (known === undefined) this.#found.set(key, { diagnostic, minors: new Set([minor]) });
    else known.minors.add(minor);
  }
}
