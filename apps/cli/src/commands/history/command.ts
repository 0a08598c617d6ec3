import { InvalidArgumentError, Option } from 'commander';
import { LATEST_MINOR, MINORS } from '#kube';
import type { Minor } from '#kube';
import { durationOf, minorsOf } from '../../options/option-values.ts';
import {
  optionsOf,
  runSettingsOf,
  withFieldValidation,
  withGates,
  withOutput,
  withReading,
  withTimeout,
} from '../../options/shared-options.ts';
import type { Values } from '../../options/shared-options.ts';
import { OUTPUT_FORMS } from '../../report/forms.ts';
import { TRACKING_FORMS } from '../../tracking/tracking-forms.ts';
import { UsageError } from '../../usage.ts';
import type { Command } from '../command.ts';
import type { HistoryArguments } from './run.ts';

/** Output formats of `assay history`, in the order in which the help lists them. */
export const HISTORY_FORMS: readonly HistoryArguments['output'][] = [...OUTPUT_FORMS, 'csv', 'html', 'markdown', ...TRACKING_FORMS];

interface HistoryValues extends Values {
  readonly output: HistoryArguments['output'];
  readonly minors: readonly Minor[];
  readonly since?: string;
  readonly exact?: true;
  /** Maximum time of each search in ms. */
  readonly budget: number;
}

/** Default of the maximum time of a search for the most expensive write of one state, in ms. */
const SEARCH_MS = 20_000;

/** The command `assay history`. */
export const historyCommand: Command<HistoryArguments> = {
  name: 'history',
  help: 'show what the rules of definitions cost in each git commit: estimates, shares of the limits, Kubernetes versions that refuse the definitions',
  options(parser, understand) {
    withFieldValidation(withGates(withOutput(parser, HISTORY_FORMS)), 'Ignore')
      .argument('<path...>', 'files or folders of the repository; a range of revisions may come first: v1.0.0..main')
      .addOption(
        new Option(
          '--minors <versions>',
          'the Kubernetes versions that judge each state, separated by commas; the last version gives the costs',
        )
          .argParser(minorsOf)
          .default([LATEST_MINOR], LATEST_MINOR),
      )
      .addOption(new Option('--since <day>', 'only commits from this day on, in UTC, such as 2025-03-02').argParser(dayOf));
    parser
      .option('--exact', 'also search for the most expensive write in each state in which a rule or an estimate changes')
      .addOption(
        new Option('--budget <duration>', 'maximum time of each search with --exact, such as 500ms, 20s or 2m')
          .argParser(durationOf)
          .default(SEARCH_MS, '20s'),
      );
    withTimeout(withReading(parser)).action((given: string[], values: HistoryValues) => {
      const [first = '', ...rest] = given;
      const [, base = '', head = ''] = /^(.*?)\.\.(?!\.)([^/\\].*)?$/.exec(first) ?? [];
      const isRange = base !== '' && !base.endsWith('.') && !/[/\\]$/.test(base);
      const paths = isRange ? rest : given;
      if (paths.length === 0) throw new UsageError('history needs files: assay history [REVISION..REVISION] PATH');
      understand({
        range: { head: isRange && head !== '' ? head : 'HEAD', base: isRange ? base : undefined, since: values.since },
        paths,
        minors: MINORS.filter((minor) => values.minors.includes(minor)),
        output: values.output,
        options: optionsOf(values),
        searchMs: values.exact === true ? values.budget : undefined,
        ...runSettingsOf(values),
      });
    });
  },
  run: async (parsed, context) => (await import('./run.ts')).runHistory(parsed, context),
};

/** Parses a day such as `2025-03-02`. */
function dayOf(text: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
  if (!isDay) throw new InvalidArgumentError('must be a day, such as 2025-03-02.');
  return text;
}
