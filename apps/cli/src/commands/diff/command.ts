import { Option } from 'commander';
import { DIFF_FAILURES } from '../../options/fail-on.ts';
import type { DiffFailure } from '../../options/fail-on.ts';
import { wordsAmong } from '../../options/option-values.ts';
import { optionsOf, runSettingsOf, withOutput, withReading, withServer, withTimeout } from '../../options/shared-options.ts';
import type { Values } from '../../options/shared-options.ts';
import { OUTPUT_FORMS } from '../../report/forms.ts';
import type { Command } from '../command.ts';
import type { DiffArguments } from './run.ts';

const DEFAULT_FAILURES: readonly DiffFailure[] = ['refused', 'objects'];

/** The command `assay diff`. */
export const diffCommand: Command<DiffArguments> = {
  name: 'diff',
  help: 'compare definitions with a revision of the git repository: changes, breaking changes, prices of rules, Kubernetes versions that refuse them, effects on older objects',
  options(parser, understand) {
    withServer(withOutput(parser, [...OUTPUT_FORMS, 'markdown']))
      .argument('<revision>', 'the older state, a revision of the git repository, or two of them: main..HEAD')
      .argument('<path...>', 'files or folders of the repository')
      .addOption(
        new Option(
          '--fail-on <failures>',
          `findings that end with status 1, separated by commas, of ${DIFF_FAILURES.join(', ')}; each includes the ones before it`,
        )
          .argParser(wordsAmong(DIFF_FAILURES))
          .default(DEFAULT_FAILURES, DEFAULT_FAILURES.join(',')),
      );
    withTimeout(withReading(parser)).action(
      (revision: string, paths: string[], values: Values & { readonly failOn: readonly DiffFailure[] }) => {
        const [base = '', head] = revision.split('..');
        understand({
          base,
          head: head === '' ? undefined : head,
          paths,
          output: values.output as DiffArguments['output'],
          options: optionsOf(values),
          ...runSettingsOf(values),
          failOn: values.failOn,
        });
      },
    );
  },
  run: async (parsed, context) => (await import('./run.ts')).runDiff(parsed, context),
};
