import type { EvaluationOutcome } from '../../../evaluation/evaluate.ts';
import { yamlText } from '../../../report/yaml-text.ts';
import type { Counts, DocumentReports, EvaluationReport } from './report.ts';

/** Report as one YAML document, which contains the complete outcome. */
export class YamlReport implements EvaluationReport {
  #count = 0;

  open({ definitions, policyReports }: DocumentReports): string {
    return yamlText({ definitions, policyReports });
  }

  items(items: EvaluationOutcome['items']): string {
    return items
      .map((item) => {
        const text = yamlText({ items: [item] });
        return this.#count++ === 0 ? text : text.slice(text.indexOf('\n') + 1);
      })
      .join('');
  }

  close({ summary, skipped }: Counts): string {
    return `${this.#count === 0 ? yamlText({ items: [] }) : ''}${yamlText({ summary, skipped })}`;
  }
}
