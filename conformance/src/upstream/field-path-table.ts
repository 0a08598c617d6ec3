import { pathText } from '#kube';
import { resolveFieldPath } from '../../../libs/crd/src/rules/resolve-field-path.ts';
import type { UpstreamJudge } from '../upstream-answer.ts';
import { AGREE, differ, skip, textOrEmpty } from './compare-run.ts';
import { recordedStructural } from './recorded-schema.ts';

/**
 * Compares Assay's results with lines of the table `cel-fieldpath`: the field to which a rule's fieldPath resolves, or the error if there
 * is none.
 */
export const judgeFieldPath: UpstreamJudge = (line) => {
  const schema = recordedStructural(line['schema'], 'value');
  if (schema === undefined) return skip('the schema is not structural');
  const result = resolveFieldPath(textOrEmpty(line['fieldPath']), schema, line['allowArrayNotation'] === true ? 'dotsAndBrackets' : 'dots');
  const golden =
    line['error'] === undefined
      ? `${textOrEmpty(line['normalized'])} of type ${textOrEmpty(line['foundType'])}`
      : textOrEmpty(line['error']);
  const ours = result.ok ? `${pathText(result.path)} of type ${result.schema.type}` : result.error;
  return golden === ours ? AGREE : differ('field path', golden, ours, { verdict: (line['error'] === undefined) === result.ok });
};
