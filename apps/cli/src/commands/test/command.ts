import {
  optionsOf,
  pathsOf,
  runSettingsOf,
  withFieldValidation,
  withOutput,
  withPaths,
  withServer,
  withTimeout,
} from '../../options/shared-options.ts';
import type { Values } from '../../options/shared-options.ts';
import type { SuiteReport } from '../../suite/report-suites.ts';
import type { Command } from '../command.ts';
import type { TestArguments } from './run.ts';

/** Forms in which the results of suites can be written. */
export const SUITE_REPORTS: readonly SuiteReport[] = ['text', 'json', 'junit', 'sarif', 'github'];

/** The command `assay test`. */
export const testCommand: Command<TestArguments> = {
  name: 'test',
  help: 'run test suites: files named …suite.yaml, in the format of openshift/api or of policies, and kyverno-test.yaml',
  options(parser, understand) {
    withFieldValidation(withServer(withOutput(withPaths(parser), SUITE_REPORTS)), 'Warn').option(
      '-w, --watch',
      'after a change, run the changed suites again; Ctrl-C ends with the last status',
    );
    withTimeout(parser).action((paths: string[], values: Values & { readonly watch?: boolean }) =>
      understand({
        paths: pathsOf(paths, values, 'test'),
        output: values.output as SuiteReport,
        options: optionsOf(values),
        ...runSettingsOf(values),
        watch: values.watch === true,
      }),
    );
  },
  run: async (parsed, context) => (await import('./run.ts')).runTest(parsed, context),
};
