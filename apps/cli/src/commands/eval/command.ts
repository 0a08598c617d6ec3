import { OUTPUT_FORMS } from '../../report/forms.ts';
import type { OutputForm } from '../../report/forms.ts';
import { collected, optionsOf, runSettingsOf, withOutput, withReading, withServer, withTimeout } from '../../options/shared-options.ts';
import type { Values } from '../../options/shared-options.ts';
import { UsageError } from '../../usage.ts';
import type { Command } from '../command.ts';
import type { EvalArguments } from './run.ts';

interface EvalValues extends Values {
  readonly schema?: string;
  readonly version?: string;
  readonly path: string;
  readonly object?: readonly string[];
  readonly trace?: true;
}

/** The command `assay eval`. */
export const evalCommand: Command<EvalArguments> = {
  name: 'eval',
  help: 'evaluate a CEL expression like a rule of a definition: its type and cost estimate, and its value and cost in objects',
  options(parser, understand) {
    withServer(withOutput(parser, OUTPUT_FORMS))
      .argument('<expression>', 'an expression of CEL, of any type')
      .option('--schema <path>', 'file of the definition whose schema describes self; not needed without self')
      .option('--version <name>', 'the version of the definition (default: the storage version)')
      .option('--path <path>', 'the place of self, such as spec.rules[0] (default: the whole object)', '')
      .option('--object <path>', 'objects in which the expression is evaluated; allowed several times', collected)
      .option('--trace', 'print the engine, the validation path of each object, and the reason why no faster path is possible');
    withTimeout(withReading(parser)).action((expression: string, values: EvalValues) => {
      const { schema, version, path, object: objects = [], trace = false } = values;
      const needing = [version !== undefined && '--version', path !== '' && '--path', objects.length > 0 && '--object'].find(Boolean);
      if (schema === undefined && needing !== undefined) throw new UsageError(`${needing} needs --schema: the file of the definition`);
      understand({
        expression,
        schema,
        version,
        path,
        objects,
        trace,
        output: values.output as OutputForm,
        options: optionsOf(values),
        ...runSettingsOf(values),
      });
    });
  },
  run: async (parsed, context) => (await import('./run.ts')).runEval(parsed, context),
};
