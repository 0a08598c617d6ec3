import { Option } from 'commander';
import { MINOR_RANGE, MINORS } from '#kube';
import type { Minor } from '#kube';
import { minorsOf } from '../../options/option-values.ts';
import {
  optionsOf,
  pathsOf,
  runSettingsOf,
  withCrdsOption,
  withDocuments,
  withGates,
  withReading,
  withTimeout,
} from '../../options/shared-options.ts';
import type { Values } from '../../options/shared-options.ts';
import { REPORT_FORMS } from '../../report/forms.ts';
import type { Command } from '../command.ts';
import type { MatrixArguments } from './run.ts';

/** The forms in which the comparison of Kubernetes versions is printed. */
const MATRIX_FORMS: readonly MatrixArguments['output'][] = [...REPORT_FORMS, 'markdown', 'html'];

interface MatrixValues extends Values {
  readonly minors: readonly Minor[];
  readonly chart?: string;
}

/** The command `assay matrix`. */
export const matrixCommand: Command<MatrixArguments> = {
  name: 'matrix',
  help: `judge the same documents against ${MINOR_RANGE}, and show where verdicts, texts or costs change`,
  options(parser, understand) {
    withCrdsOption(withGates(withDocuments(parser, 'Strict', MATRIX_FORMS)))
      .addOption(
        new Option('--minors <versions>', 'the versions to compare, separated by commas, such as 1.37,1.38')
          .argParser(minorsOf)
          .default(MINORS, 'all'),
      )
      .option('--chart <file>', 'also write a picture (SVG): the cost of each rule on the first and on the last version');
    withTimeout(withReading(parser)).action((paths: string[], values: MatrixValues) =>
      understand({
        crds: values.crds,
        paths: pathsOf(paths, values, 'matrix'),
        minors: MINORS.filter((minor) => values.minors.includes(minor)),
        chart: values.chart,
        output: values.output as MatrixArguments['output'],
        options: optionsOf(values),
        ...runSettingsOf(values),
      }),
    );
  },
  run: async (parsed, context) => (await import('./run.ts')).runMatrix(parsed, context),
};
