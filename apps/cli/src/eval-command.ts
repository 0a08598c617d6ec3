import { definitionText, serverOf } from '#evaluation';
import type { Engine } from '#runner';
import { answerExpression } from '#service';
import { grouped, shownInLine } from '#report-forms';
import type { ReportProblem } from './find-files.ts';
import { print } from './print.ts';
import type { EvalCommand } from './commands.ts';
import { documentsOf } from './read-documents.ts';
import { readInputs } from './read-inputs.ts';
import { EXIT, UsageError } from './usage.ts';

/** Result of `assay eval`: the result of checking the expression against its definition, and the value of the expression in each object. */
interface EvalOutcome {
  readonly expression: string;
  readonly version?: string;
  readonly type?: string;
  /** Estimated cost of one evaluation, as a uint64 in decimal digits. */
  readonly estimate?: string;
  /** Reason why the expression cannot be a rule at this path. */
  readonly error?: string;
  readonly objects: readonly ObjectValue[];
}

/** Value of the expression in one object, or the error of the evaluation, with the location and cost. */
interface ObjectValue {
  readonly source: string;
  readonly value?: unknown;
  readonly error?: string;
  readonly cost?: number;
}

/**
 * Runs `assay eval`: checks a CEL expression as if it were a rule of a definition, and evaluates it on each given object. Resolves with the
 * exit status.
 */
export async function evalCommand(command: EvalCommand, engine: Engine, reportProblem: ReportProblem): Promise<number> {
  const { expression, version, path, options } = command;
  const { definitions } = await documentsOf(await readInputs([command.schema], reportProblem, command.reading), engine);
  const [definition, ...more] = definitions;
  if (definition === undefined || more.length > 0)
    throw new UsageError(`--schema ${command.schema}: must hold one CustomResourceDefinition, not ${definitions.length}`);
  const { objects } = await documentsOf(await readInputs(command.objects, reportProblem, command.reading), engine);
  const question = { definition: definitionText(definition.slice, serverOf(options)), expression, version, path };
  const compiled = await answerExpression(engine, question, undefined);
  const values: ObjectValue[] = [];
  if (compiled.ok)
    for (const { source, slice } of objects) {
      const answer = await answerExpression(engine, question, slice);
      const result = answer.ok ? answer.result : answer;
      if (result?.ok === true) values.push({ source, value: JSON.parse(result.value) as unknown, cost: result.cost });
      else if (result !== undefined) values.push({ source, ...withoutOk(result) });
    }
  const outcome: EvalOutcome = { expression, ...withoutOk(compiled), objects: values };
  print(command.output, outcome, () => evalText(outcome));
  return outcome.error === undefined && values.every(({ error }) => error === undefined) ? EXIT.ok : EXIT.rejected;
}

function withoutOk<Answer extends { readonly ok: boolean }>(answer: Answer): Omit<Answer, 'ok'> {
  const { ok: _, ...rest } = answer;
  return rest;
}

function evalText({ type, estimate, version, error, objects }: EvalOutcome): string {
  if (error !== undefined) return `${error}\n`;
  const lines = objects.map(({ source, value, error: problem, cost }) => {
    const price = cost === undefined ? '' : ` (CEL cost ${cost})`;
    return shownInLine(`${source}: ${problem === undefined ? JSON.stringify(value) : `error: ${problem}`}${price}`);
  });
  return `${[...lines, `type ${type}, at most ${grouped(estimate ?? '')} units by estimate in ${version}`].join('\n')}\n`;
}
