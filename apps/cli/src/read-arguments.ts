import { parseArgs } from 'node:util';
import { checkOptions } from '#evaluation';
import type { EvaluationOptions } from '#evaluation';
import { UsageError } from './usage.ts';

export type OutputForm = 'text' | 'json' | 'yaml';

/** A command line, understood. */
export type Command =
  | { readonly name: 'help' }
  | {
      readonly name: 'evaluate' | 'explain' | 'matrix';
      readonly paths: readonly string[];
      readonly output: OutputForm;
      readonly options: EvaluationOptions;
    };

/** Reads the command line; throws {@link UsageError}. */
export function readArguments(argv: readonly string[]): Command {
  const { values, positionals } = parsed(argv);
  const [name, ...rest] = positionals;
  if (values.help || name === 'help' || (name === undefined && argv.length === 0)) return { name: 'help' };
  if (name !== 'evaluate' && name !== 'explain' && name !== 'matrix')
    throw new UsageError(`unknown command ${JSON.stringify(name ?? '')}; known: evaluate, explain, matrix`);
  const paths = [...(values.filename ?? []), ...rest];
  if (paths.length === 0) throw new UsageError(`${name} needs files: assay ${name} PATH`);
  if (values.output !== 'text' && values.output !== 'json' && values.output !== 'yaml')
    throw new UsageError(`--output must be text, json or yaml, not ${JSON.stringify(values.output)}`);
  const options = checkOptions({
    ...(values['kubernetes-version'] !== undefined && { kubernetesVersion: values['kubernetes-version'] }),
    ...(values['field-validation'] !== undefined && { fieldValidation: values['field-validation'] }),
    explain: values.explain,
    returnObjects: values['return-objects'],
  });
  if (!options.ok) throw new UsageError(options.status.message);
  return { name, paths, output: values.output, options: options.value };
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
        'field-validation': { type: 'string' },
        explain: { type: 'boolean', default: false },
        'return-objects': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
