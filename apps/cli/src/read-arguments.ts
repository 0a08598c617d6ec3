import { parseArgs } from 'node:util';
import { readFeatureGates } from '#kube';
import { checkOptions } from '#evaluation';
import type { EvaluationOptions } from '#evaluation';
import { SUITE_REPORTS } from './suite/report-suites.ts';
import type { SuiteReport } from './suite/report-suites.ts';
import { UsageError } from './usage.ts';

const OUTPUT_FORMS = ['text', 'json', 'yaml'] as const;

/** A form in which results are printed. */
export type OutputForm = (typeof OUTPUT_FORMS)[number];
const DOCUMENT_COMMANDS = ['evaluate', 'explain', 'matrix'] as const;

/** A command about documents: definitions and objects. */
export interface DocumentCommand {
  readonly name: (typeof DOCUMENT_COMMANDS)[number];
  readonly paths: readonly string[];
  readonly output: OutputForm;
  readonly options: EvaluationOptions;
}
/** A command about test suites. */
export interface TestCommand {
  readonly name: 'test';
  readonly paths: readonly string[];
  readonly output: SuiteReport;
  readonly options: EvaluationOptions;
  readonly watch: boolean;
}

/** A command about a change of a definition. */
export interface WhatIfCommand {
  readonly name: 'what-if';
  /** Files of the definition as it is, and as it shall be. */
  readonly from: string;
  readonly to: string;
  readonly paths: readonly string[];
  readonly output: OutputForm;
  readonly options: EvaluationOptions;
}

/** A command line, understood. */
export type Command = { readonly name: 'help' } | DocumentCommand | TestCommand | WhatIfCommand;

/** Reads the command line; throws {@link UsageError}. */
export function readArguments(argv: readonly string[]): Command {
  const { values, positionals } = parsed(argv);
  const [name, ...rest] = positionals;
  if (values.help || name === 'help' || argv.length === 0) return { name: 'help' };
  const paths = [...(values.filename ?? []), ...rest];
  const known = [...DOCUMENT_COMMANDS, 'test', 'what-if'];
  if (name === undefined || !known.includes(name))
    throw new UsageError(`unknown command ${JSON.stringify(name ?? '')}; known: ${known.join(', ')}`);
  if (paths.length === 0) throw new UsageError(`${name} needs files: assay ${name} PATH`);
  const options = optionsOf(values);
  if (name === 'test') return { name, paths, output: oneOf('output', SUITE_REPORTS, values.output), options, watch: values.watch };
  if (name === 'what-if') {
    const { from, to } = values;
    if (from === undefined || to === undefined) throw new UsageError('what-if needs the definition before and after: --from OLD --to NEW');
    return { name, from, to, paths, output: oneOf('output', OUTPUT_FORMS, values.output), options };
  }
  return { name: oneOf('command', DOCUMENT_COMMANDS, name), paths, output: oneOf('output', OUTPUT_FORMS, values.output), options };
}

function optionsOf(values: ReturnType<typeof parsed>['values']): EvaluationOptions {
  const options = checkOptions({
    ...(values['kubernetes-version'] !== undefined && { kubernetesVersion: values['kubernetes-version'] }),
    ...(values['field-validation'] !== undefined && { fieldValidation: values['field-validation'] }),
    ...(values['feature-gates'] !== undefined && { featureGates: gatesOf(values['feature-gates']) }),
    explain: values.explain,
    returnObjects: values['return-objects'],
  });
  if (!options.ok) throw new UsageError(options.status.message);
  return options.value;
}

function gatesOf(text: string): Record<string, boolean> {
  const read = readFeatureGates(text);
  if (!read.ok) throw new UsageError(`--feature-gates: ${read.error}`);
  return read.gates;
}

function oneOf<T extends string>(what: string, allowed: readonly T[], given: string): T {
  const found = allowed.find((word) => word === given);
  if (found === undefined) throw new UsageError(`--${what} must be one of ${allowed.join(', ')}, not ${JSON.stringify(given)}`);
  return found;
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        filename: { type: 'string', short: 'f', multiple: true },
        output: { type: 'string', short: 'o', default: 'text' },
        'kubernetes-version': { type: 'string', short: 'k' },
        'feature-gates': { type: 'string' },
        'field-validation': { type: 'string' },
        explain: { type: 'boolean', default: false },
        'return-objects': { type: 'boolean', default: false },
        from: { type: 'string' },
        to: { type: 'string' },
        watch: { type: 'boolean', short: 'w', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
