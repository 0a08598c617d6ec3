import { CelError, typeText } from '#cel';
import type { JsonObject } from '#go';
import type { CelType, CelValue } from '#cel';
import type { UpstreamAnswer, UpstreamJudge } from '../upstream-answer.ts';
import { AGREE, compareRun, skip, textOrEmpty, variablesOf } from './compare-run.ts';
import { recordedEnvironment } from './recorded-environment.ts';
import type { RecordedEnvironment } from './recorded-environment.ts';
import { runExpression } from './run-expression.ts';

/** Tags of cases that need features that custom resources do not have. These cases are skipped. */
const OUTSIDE: ReadonlySet<string> = new Set(['protobuf', 'authorizer', 'customFunctions']);
/**
 * Tags of cases that possibly need features that custom resources do not have. These cases are compared only if their expression compiles
 * in Assay.
 */
const MAYBE_OUTSIDE: ReadonlySet<string> = new Set(['protobufVariables', 'container']);

/**
 * Returns the function that compares Assay's results with lines of the tables `cel-k8s-expressions` and `cel-go-expressions`: values and
 * errors. Costs are compared only if Kubernetes' cost tracker recorded them.
 */
export function judgeExpressions({ comparesCost }: { readonly comparesCost: boolean }): UpstreamJudge {
  return (line, engine) => {
    const tags = line['tags'] as string[];
    const outside = tags.find((tag) => OUTSIDE.has(tag));
    const maybeOutside = tags.find((tag) => MAYBE_OUTSIDE.has(tag));
    if (outside !== undefined) return skip(outside);
    const recorded = recordedEnvironment(textOrEmpty(line['env']));
    const evaluations = (line['evaluations'] ?? []) as JsonObject[];
    if (recorded === undefined || evaluations.length === 0) return skip('not evaluated');
    if (recorded.foreign.length > 0 && !onlyOlderStrings(recorded.foreign))
      return skip(`libraries that Kubernetes has not: ${recorded.foreign.join(', ')}`);
    const text = textOrEmpty(line['expression']);
    const unlike = unlikeKubernetes(textOrEmpty(line['test']), text, recorded);
    if (unlike !== undefined) return skip(unlike);
    let answer: UpstreamAnswer = AGREE;
    for (const evaluation of evaluations) {
      if (evaluation['checked'] !== true) return skip('not checked');
      const options = evaluation['options'] as string[];
      if (options.some((option) => option !== 'optimize' && option !== 'trackCost')) return skip(`option ${options.join(', ')}`);
      const values = variablesOf(evaluation['variables'], text);
      if (values === undefined) return skip('a variable that only Go has');
      const run = runExpression({
        text,
        environment: recorded.environment,
        types: recorded.variables,
        values,
        folds: options.includes('optimize'),
        costLimit: Number(evaluation['costLimit'] ?? Infinity),
        engine,
      });
      if (!run.ok && recorded.foreign.length > 0) return skip('functions of another version');
      if (maybeOutside !== undefined && (!run.ok || lacksConstant(run.evaluation.value))) return skip(maybeOutside);
      const { result, error, cost } = evaluation;
      answer = compareRun(run, { result, error, cost: comparesCost ? cost : undefined });
      if (answer.kind !== 'agree') return answer;
    }
    return answer;
  };
}

/**
 * Returns the feature of a recorded case that the rules of Kubernetes do not use, as the reason to skip the case. Returns undefined if
 * there is no such feature.
 */
function unlikeKubernetes(test: string, text: string, { foreign, variables }: RecordedEnvironment): string | undefined {
  if (/ErrorOnBadPresenceTest|EvalInvalidInput/.test(test)) return 'a setting that Kubernetes does not use';
  if (/jsonpatch/.test(text)) return 'functions of admission policies';
  if (foreign.length > 0 && /\.(?:format|reverse)\(/.test(text)) return 'functions of another version';
  const isOfHost = (name: string, type: CelType): boolean => name.includes('.') || HOST_TYPE.test(typeText(type));
  if ([...variables].some(([name, type]) => text.includes(name) && isOfHost(name, type))) return 'variables of types that only Go has';
  return undefined;
}

const HOST_TYPE = /wrapper|(?<!kubernetes\.[\w.]*)\b[A-Z]\w*\b|google\.(?!protobuf\.(?:Timestamp|Duration))/;

/**
 * Returns true if an evaluation fails because its environment lacks a constant. Some recorded environments declare constants whose values
 * are not recorded.
 */
function lacksConstant(value: CelValue): boolean {
  return value instanceof CelError && value.message.startsWith('no such attribute(s)');
}

/**
 * Returns true if the only unsupported libraries are other versions of the strings library. These versions have the same functions except
 * `format` and `reverse`.
 */
function onlyOlderStrings(foreign: readonly string[]): boolean {
  return foreign.every((name) => name.startsWith('cel.lib.ext.strings@'));
}
