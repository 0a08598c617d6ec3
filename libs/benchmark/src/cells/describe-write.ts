import { writeJson } from '#go';
import { WholeObject } from '../object/whole-object.ts';
import { COMPILED } from './cell-ports.ts';
import type { CellPorts, CellSubjects } from './cell-ports.ts';
import type { WriteCell } from './study-cell.ts';
import { candidateOf } from './write-plan.ts';

/**
 * Returns the object that a write plan (description of a generated write request) describes, as JSON. The JSON has the form of an item of
 * an evaluation request. Returns undefined if the rule does not exist, or if no verdict on the object can be computed.
 */
export function describeWrite({ rule: key, worst }: WriteCell, { head }: CellSubjects, { token }: CellPorts): string | undefined {
  const found = head(COMPILED.name).find(key);
  if (found === undefined) return undefined;
  const { definition, writing } = found.among;
  const trial = new WholeObject(definition, found.rule, writing).judge(candidateOf(worst), token);
  if (trial.kind !== 'judged') return undefined;
  const { operation, subresource, oldObject } = trial.write;
  return writeJson({
    operation,
    ...(subresource !== undefined && { subresource }),
    object: trial.object,
    ...(oldObject !== undefined && { oldObject }),
  });
}
