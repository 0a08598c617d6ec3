import type { CellPorts, CellSubjects } from './cell-ports.ts';
import { compareRules } from './compare-rules.ts';
import { describeEvaluation } from './describe-evaluation.ts';
import { describeWrite } from './describe-write.ts';
import { findCosts } from './find-costs.ts';
import type { CellFindings, StudyCell } from './study-cell.ts';
import { takeReference } from './take-reference.ts';
import { takeTimes } from './take-times.ts';

/**
 * Performs one cell of a study, and returns its findings. A cell is one unit of work, such as measuring the times of a rule. `subjects` are
 * the compiled definitions. `ports` are the clock, the memory meter and the cancellation token.
 */
export function performCell<Cell extends StudyCell>(cell: Cell, subjects: CellSubjects, ports: CellPorts): CellFindings[Cell['kind']] {
  // Each branch returns the findings that belong to its kind.
  return findingsOf(cell, subjects, ports) as CellFindings[Cell['kind']];
}

function findingsOf(cell: StudyCell, subjects: CellSubjects, ports: CellPorts): CellFindings[StudyCell['kind']] {
  switch (cell.kind) {
    case 'costs':
      return findCosts(cell, subjects, ports);
    case 'times':
      return takeTimes(cell, subjects, ports);
    case 'compare':
      return compareRules(cell, subjects, ports);
    case 'compile':
      return takeReference(cell, subjects, ports);
    case 'evaluation':
      return describeEvaluation(cell, subjects);
    case 'write':
      return describeWrite(cell, subjects, ports);
  }
}
