import { jsonText } from '#report';
import type { EvaluationOutcome } from '../../../evaluation/evaluate.ts';
import type { Counts, DocumentReports, EvaluationReport } from './report.ts';

/** Report as one JSON value, which contains the complete outcome. */
export class JsonReport implements EvaluationReport {
  #count = 0;

  open({ definitions, policyReports }: DocumentReports): string {
    const policies = policyReports === undefined ? '' : `  "policyReports": ${indented(policyReports, 2)},\n`;
    return `{\n  "definitions": ${indented(definitions, 2)},\n${policies}  "items": [`;
  }

  items(items: EvaluationOutcome['items']): string {
    return items.map((item) => `${this.#count++ === 0 ? '' : ','}\n    ${indented(item, 4)}`).join('');
  }

  close({ summary, skipped }: Counts): string {
    return `${this.#count === 0 ? '' : '\n  '}],\n  "summary": ${indented(summary, 2)},\n  "skipped": ${skipped}\n}\n`;
  }
}

/** Returns a value as JSON for insertion into a text that is indented by `spaces` spaces. */
const indented = (value: unknown, spaces: number): string => jsonText(value).replaceAll('\n', `\n${' '.repeat(spaces)}`);
