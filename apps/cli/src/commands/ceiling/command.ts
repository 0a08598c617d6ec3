import { Option } from 'commander';
import { MINORS, previewOf } from '#kube';
import type { Minor } from '#kube';
import { minorsOf } from '../../options/option-values.ts';
import { optionsOf, pathsOf, runSettingsOf, withDocuments, withGates, withReading, withTimeout } from '../../options/shared-options.ts';
import type { Values } from '../../options/shared-options.ts';
import { OUTPUT_FORMS } from '../../report/forms.ts';
import type { OutputForm } from '../../report/forms.ts';
import type { Command } from '../command.ts';
import type { CeilingArguments } from './run.ts';

interface CeilingValues extends Values {
  readonly field: string;
  readonly minors: readonly Minor[];
}

/** Released minor versions of Kubernetes. The costs of a preview may still change. */
const RELEASED = MINORS.filter((minor) => previewOf(minor) === undefined);

/** The command `assay ceiling`. */
export const ceilingCommand: Command<CeilingArguments> = {
  name: 'ceiling',
  help: 'show how far a bound, such as maxItems, may rise before a server of each minor version refuses a definition',
  options(parser, understand) {
    withGates(withDocuments(parser, 'Strict', OUTPUT_FORMS))
      .requiredOption('--field <path>', 'the bound, such as spec.rules[*].name.maxLength; without a keyword: the bound of this field')
      .addOption(
        new Option('--minors <versions>', 'the Kubernetes versions, separated by commas, such as 1.37,1.38')
          .argParser(minorsOf)
          .default(RELEASED, 'all released'),
      );
    withTimeout(withReading(parser)).action((paths: string[], values: CeilingValues) =>
      understand({
        paths: pathsOf(paths, values, 'ceiling'),
        field: values.field,
        minors: MINORS.filter((minor) => values.minors.includes(minor)),
        output: values.output as OutputForm,
        options: optionsOf(values),
        ...runSettingsOf(values),
      }),
    );
  },
  run: async (parsed, context) => (await import('./run.ts')).runCeiling(parsed, context),
};
