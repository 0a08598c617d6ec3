import { OUTPUT_FORMS } from '../../report/forms.ts';
import type { OutputForm } from '../../report/forms.ts';
import { UsageError } from '../../usage.ts';

/** Form of a report with measurements of an API server. `html` is a page with plots. */
export type MeasurementForm = OutputForm | 'html';

/** Output formats of `assay load`, in the order in which the help lists them. */
export const LOAD_FORMS: readonly MeasurementForm[] = [...OUTPUT_FORMS, 'html'];

/** Returns the form of a report without plots. Throws {@link UsageError} if the user wants a page. */
export function plainForm(form: MeasurementForm): OutputForm {
  if (form !== 'html') return form;
  throw new UsageError('-o html shows measurements of --cluster: choose text, json or yaml');
}

/** Label of a report with its texts, each of which is a line. */
export type Fact = readonly [label: string, ...texts: readonly string[]];

/** Width of the first column of a report, in characters. */
const LABEL = 12;

/** Returns facts as lines of text, with the labels in a first column. Labels without texts have no line. */
export const factsText = (facts: readonly Fact[]): string =>
  facts.flatMap(([label, ...texts]) => texts.map((text, i) => `${(i === 0 ? label : '').padEnd(LABEL)}${text}\n`)).join('');
