import { failOnOption, gateMinorsOf, gateMinorsOption, wordGates } from '../../gates/fail-on.ts';
import type { GateMinorValues } from '../../gates/fail-on.ts';
import type { Gate } from '../../gates/read-gates.ts';
import type { GateName } from '../../gates/gate-list.ts';
import { optionsOf, runSettingsOf, withOutput, withReading, withServer, withTimeout } from '../../options/shared-options.ts';
import type { Values } from '../../options/shared-options.ts';
import { OUTPUT_FORMS } from '../../report/forms.ts';
import { TRACKING_FORMS } from '../../tracking/tracking-forms.ts';
import type { Command } from '../command.ts';
import type { DiffArguments } from './run.ts';

const DEFAULT_GATES = wordGates('refused', 'objects');

interface DiffValues extends Values, GateMinorValues {
  readonly failOn: readonly Gate<GateName<'diff'>>[];
  readonly kubernetesVersion?: NonNullable<Values['kubernetesVersion']>;
}

/** Output formats of `assay diff`, in the order in which the help lists them. */
export const DIFF_FORMS: readonly DiffArguments['output'][] = [...OUTPUT_FORMS, 'markdown', ...TRACKING_FORMS];

/** The command `assay diff`. */
export const diffCommand: Command<DiffArguments> = {
  name: 'diff',
  help: 'compare definitions with an older git revision: changes, breaking changes, costs of rules, Kubernetes versions that refuse the definitions, effects on older objects',
  options(parser, understand) {
    withServer(withOutput(parser, DIFF_FORMS))
      .argument('<revision>', 'the older git revision, or the older and the newer one: main..HEAD')
      .argument('<path...>', 'files or folders of the repository')
      .addOption(failOnOption('diff', DEFAULT_GATES))
      .addOption(gateMinorsOption());
    withTimeout(withReading(parser)).action((revision: string, paths: string[], values: DiffValues) => {
      const [base = '', head] = revision.split('..');
      understand({
        base,
        head: head === '' ? undefined : head,
        paths,
        output: values.output as DiffArguments['output'],
        options: optionsOf(values),
        ...runSettingsOf(values),
        failOn: values.failOn,
        minors: gateMinorsOf(values),
      });
    });
  },
  run: async (parsed, context) => (await import('./run.ts')).runDiff(parsed, context),
};
