import { OUTPUT_FORMS, TOOL_FORMS } from '../../../report/forms.ts';
import type { OutputForm, ToolForm } from '../../../report/forms.ts';

/** Output format for the results of an evaluation, one of {@link EVALUATION_FORMS}. */
export type EvaluationForm = OutputForm | 'table' | ToolForm;

/** Output formats of an evaluation, in the order in which the help lists them. */
export const EVALUATION_FORMS: readonly EvaluationForm[] = [...OUTPUT_FORMS, 'table', ...TOOL_FORMS];
