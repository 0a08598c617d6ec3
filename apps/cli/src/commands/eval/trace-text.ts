import { grouped } from '#numbers';
import type { ExpressionReport } from '#runner';

type Answer = Extract<ExpressionReport, { ok: true }>;

/** Engine that evaluates an expression, and the reason if it is not generated code. */
export type ExpressionTrace = NonNullable<Answer['trace']>;

/** Engine that evaluated an expression in one object, and the way in which the verdict on the object is computed. */
export interface ObjectTrace {
  /** Absent if the expression was not evaluated. */
  readonly engine?: ExpressionTrace['engine'];
  /** Absent for an expression that reads no object. */
  readonly judged?: Answer['write'];
}

const ENGINES: Readonly<Record<ExpressionTrace['engine'], string>> = { compiled: 'generated code', interpreted: 'the interpreter' };

const WAYS: Readonly<Record<NonNullable<ObjectTrace['judged']>['way'], string>> = {
  columns: 'the generated reader, with lists in columns',
  reader: 'the generated reader, without columns',
  exact: 'the exact way',
};

/** Returns the line about the engine of an expression: which engine evaluates it, and why not the faster one. */
export function expressionTraceLine({ engine, interpretedUnits, obstacle }: ExpressionTrace): string {
  if (interpretedUnits !== undefined)
    return `evaluated by the interpreter for the first ${grouped(interpretedUnits)} cost units, then by ${ENGINES[engine]}`;
  return `evaluated by ${ENGINES[engine]}${because(obstacle)}`;
}

/** Returns the lines about one object: the engine of the evaluation, and the way that judges the object, with the reason. */
export function objectTraceLines({ engine, judged }: ObjectTrace = {}): readonly string[] {
  return [
    ...(engine ? [`  evaluated by ${ENGINES[engine]}`] : []),
    ...(judged ? [`  judged by ${WAYS[judged.way]}${judged.fromYaml ? ', from YAML' : ''}${because(judged.obstacle)}`] : []),
  ];
}

const because = (obstacle: string | undefined): string => (obstacle === undefined ? '' : `: ${obstacle}`);
