import { definitionText, serverOf } from '#documents';
import type { EvaluationOptions } from '#documents';
import type { Engine, ExpressionReport } from '#runner';
import { answerExpression } from '#service';
import { grouped } from '#numbers';
import { shownInLine } from '#report';
import type { ReportProblem } from '../../files/file-problem.ts';
import { print } from '../../report/print.ts';
import { documentsOf } from '../../documents/read-documents.ts';
import { readInputs } from '../../documents/read-inputs.ts';
import { EXIT, UsageError } from '../../usage.ts';
import type { RunContext } from '../command.ts';
import type { CommandSettings } from '../../options/shared-options.ts';
import type { OutputForm } from '../../report/forms.ts';

/** Parsed arguments of `assay eval`, which evaluates a CEL expression. */
export interface EvalArguments extends CommandSettings {
  readonly expression: string;
  /** Path of the file with the definition; undefined for an expression that reads no object. */
  readonly schema: string | undefined;
  /** Version of the definition; undefined for the storage version. */
  readonly version: string | undefined;
  /** Field path of `self` in the object; empty if `self` is the whole object. */
  readonly path: string;
  /** Paths of the objects in which the expression is evaluated. */
  readonly objects: readonly string[];
  /** True if the output says which engine evaluates the expression, and which way judges each object. */
  readonly trace: boolean;
  readonly output: OutputForm;
  readonly options: EvaluationOptions;
}

/** Result of `assay eval`: the result of checking the expression, and the value of the expression in each object. */
interface EvalOutcome {
  readonly expression: string;
  readonly version?: string;
  readonly type?: string;
  /** Estimated cost of one evaluation, as a uint64 in decimal digits. */
  readonly estimate?: string;
  /** Reason why the expression cannot be a rule at this path. */
  readonly error?: string;
  /** Value of an expression that reads no object. */
  readonly result?: Omit<ObjectValue, 'source'>;
  readonly trace?: ExpressionTrace;
  readonly objects: readonly ObjectValue[];
}

/** Value of the expression on one object, or the evaluation's error, with the cost. `source` is the place of the object. */
interface ObjectValue {
  readonly source: string;
  readonly value?: unknown;
  readonly error?: string;
  readonly cost?: number;
  readonly trace?: ObjectTrace;
}

/**
 * Runs `assay eval`: checks a CEL expression as if it were a rule of a definition, and evaluates it on each given object. Without a
 * definition, it evaluates an expression that reads no object. Resolves with the exit status.
 */
export async function runEval(command: EvalArguments, { engine, reportProblem }: RunContext): Promise<number> {
  const outcome =
    command.schema === undefined ? await evalAlone(command, engine) : await evalOn(command.schema, command, engine, reportProblem);
  print(command.output, outcome, () => evalText(outcome));
  const isSound = [outcome, outcome.result, ...outcome.objects].every((one) => one?.error === undefined);
  return isSound ? EXIT.ok : EXIT.rejected;
}

/** Line of CEL's error for an expression that reads its object without a definition. */
const READS_OBJECT = /ERROR: <input>:\d+:\d+: undeclared reference to '((?:oldS|s)elf)'/;

/** Evaluates an expression without a definition. Throws {@link UsageError} if the expression reads an object. */
async function evalAlone({ expression, options, trace }: EvalArguments, engine: Engine): Promise<EvalOutcome> {
  const question = {
    definition: options.kubernetesVersion,
    expression,
    version: undefined,
    path: '',
    tracedUnder: trace ? options : undefined,
  };
  const answer = await answerExpression(engine, question, undefined);
  const [, name] = (answer.ok ? null : READS_OBJECT.exec(answer.error)) ?? [];
  if (name !== undefined)
    throw new UsageError(`the expression reads ${name}: --schema FILE names the definition, and --object FILE an object of it`);
  if (!answer.ok) return { expression, ...withoutOk(answer), objects: [] };
  const { result, ...rest } = withoutOk(answer);
  return { expression, ...rest, ...(result && { result: valueOf(result, undefined) }), objects: [] };
}

async function evalOn(schema: string, command: EvalArguments, engine: Engine, reportProblem: ReportProblem): Promise<EvalOutcome> {
  const { expression, version, path, options, trace } = command;
  const { definitions } = await documentsOf(await readInputs([schema], reportProblem, command.reading), engine);
  const [definition, ...more] = definitions;
  if (definition === undefined || more.length > 0)
    throw new UsageError(`--schema ${schema}: must hold one CustomResourceDefinition, not ${definitions.length}`);
  const { objects } = await documentsOf(await readInputs(command.objects, reportProblem, command.reading), engine);
  const tracedUnder = trace ? options : undefined;
  const question = { definition: definitionText(definition.slice, serverOf(options)), expression, version, path, tracedUnder };
  const compiled = await answerExpression(engine, question, undefined);
  const values: ObjectValue[] = [];
  if (compiled.ok)
    for (const { source, slice } of objects) {
      const answer = await answerExpression(engine, question, slice);
      const result = answer.ok ? answer.result : answer;
      if (result !== undefined) values.push({ source, ...valueOf(result, answer.ok ? answer.write : undefined) });
    }
  return { expression, ...withoutOk(compiled), objects: values };
}

/** Value of an expression as JSON text, or the error of its evaluation. */
type ExpressionResult = NonNullable<Extract<ExpressionReport, { ok: true }>['result']>;

function valueOf({ engine, ...result }: ExpressionResult, write: ObjectTrace['judged']): Omit<ObjectValue, 'source'> {
  const trace = { ...(engine && { engine }), ...(write && { judged: write }) };
  return {
    ...(result.ok ? { value: JSON.parse(result.value) as unknown, cost: result.cost } : withoutOk(result)),
    ...((engine ?? write) && { trace }),
  };
}

function withoutOk<Answer extends { readonly ok: boolean }>(answer: Answer): Omit<Answer, 'ok'> {
  const { ok: _, ...rest } = answer;
  return rest;
}

function evalText({ type, estimate, version, error, result, objects, trace }: EvalOutcome): string {
  if (error !== undefined) return `${error}\n`;
  const place = version === undefined ? '' : ` in ${version}`;
  const lines = [
    ...(result ? [valueText(result), ...objectTraceLines(result.trace)] : []),
    ...objects.flatMap((one) => [`${one.source}: ${valueText(one)}`, ...objectTraceLines(one.trace)]),
    `type ${type}, at most ${grouped(estimate ?? '')} ${estimate === '1' ? 'unit' : 'units'} by estimate${place}`,
    ...(trace ? [expressionTraceLine(trace)] : []),
  ];
  return `${lines.map(shownInLine).join('\n')}\n`;
}

function valueText({ value, error, cost }: Omit<ObjectValue, 'source'>): string {
  const price = cost === undefined ? '' : ` (CEL cost ${cost})`;
  return `${error === undefined ? JSON.stringify(value) : `error: ${error}`}${price}`;
}

type Answer = Extract<ExpressionReport, { ok: true }>;

/** Engine that evaluates an expression, and the reason if it is not generated code. */
type ExpressionTrace = NonNullable<Answer['trace']>;

/** Engine that evaluated an expression in one object, and the way in which the verdict on the object is computed. */
interface ObjectTrace {
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
function expressionTraceLine({ engine, interpretedUnits, obstacle }: ExpressionTrace): string {
  if (interpretedUnits !== undefined)
    return `evaluated by the interpreter for the first ${grouped(interpretedUnits)} cost units, then by ${ENGINES[engine]}`;
  return `evaluated by ${ENGINES[engine]}${because(obstacle)}`;
}

/** Returns the lines about one object: the engine of the evaluation, and the way that judges the object, with the reason. */
function objectTraceLines({ engine, judged }: ObjectTrace = {}): readonly string[] {
  return [
    ...(engine ? [`  evaluated by ${ENGINES[engine]}`] : []),
    ...(judged ? [`  judged by ${WAYS[judged.way]}${judged.fromYaml ? ', from YAML' : ''}${because(judged.obstacle)}`] : []),
  ];
}

const because = (obstacle: string | undefined): string => (obstacle === undefined ? '' : `: ${obstacle}`);
