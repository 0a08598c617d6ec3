import type { Command as Program } from 'commander';
import { clusterOf, optionsOf, pathsOf, runSettingsOf } from '../../../options/shared-options.ts';
import type { Values } from '../../../options/shared-options.ts';
import { UsageError } from '../../../usage.ts';
import { plainForm } from '../measurement-forms.ts';
import type { MeasurementForm } from '../measurement-forms.ts';
import type { CleanUpArguments } from './run-clean-up.ts';
import type { RuleCostArguments } from './run-rule-costs.ts';
import type { PairLimits } from '#cluster';

/** Parsed values of the options for temporary definitions. */
export interface RuleCostValues {
  readonly temporaryDefinitions?: boolean;
  readonly cleanUp?: string | true;
  readonly yesCreateDefinitions?: boolean;
}

/** Values of other options of `assay load` that the measurement of rules uses. */
interface SharedValues extends Values, RuleCostValues {
  readonly budget: number;
  readonly output: MeasurementForm;
  readonly yes?: boolean;
}

/** Adds the options for temporary definitions to `assay load`. */
export const withRuleCosts = (command: Program): Program =>
  command
    .option(
      '--temporary-definitions',
      'with --cluster: measure what each rule adds to a write, with temporary copies of the definition in groups of their own',
    )
    .option('--yes-create-definitions', 'allow --temporary-definitions and --clean-up on another machine')
    .option(
      '--clean-up [run]',
      'with --cluster: only remove the temporary definitions that a killed run left, of all runs or of one; other definitions stay',
    );

/** Arguments of a command for temporary definitions. */
export type TemporaryArguments = ({ readonly kind: 'ruleCosts' } & RuleCostArguments) | ({ readonly kind: 'cleanUp' } & CleanUpArguments);

/**
 * Returns the arguments for measuring rules or for cleaning up. Returns undefined if neither is requested. Throws {@link UsageError} if the
 * options contradict each other.
 *
 * @param limits limits of a load on a cluster; undefined for a load on a deployment
 */
export function temporaryArgumentsOf(
  paths: readonly string[],
  values: SharedValues,
  limits: PairLimits | undefined,
): TemporaryArguments | undefined {
  const { temporaryDefinitions, cleanUp, yesCreateDefinitions: isAllowedElsewhere = false } = values;
  if (temporaryDefinitions !== true && cleanUp === undefined) {
    if (isAllowedElsewhere) throw new UsageError('--yes-create-definitions goes with --temporary-definitions or --clean-up');
    return undefined;
  }
  const cluster = clusterOf(values);
  if (cluster === undefined || limits === undefined) throw new UsageError('--temporary-definitions and --clean-up go with --cluster');
  if (cleanUp !== undefined) {
    if (temporaryDefinitions === true) throw new UsageError('--temporary-definitions and --clean-up do not go together');
    if (paths.length + (values.filename ?? []).length > 0) throw new UsageError('--clean-up takes no files');
    return { kind: 'cleanUp', cluster, isAllowedElsewhere, run: cleanUp === true ? undefined : cleanUp, output: plainForm(values.output) };
  }
  return {
    kind: 'ruleCosts',
    cluster,
    isAllowedElsewhere,
    isLoadAllowed: values.yes === true,
    paths: pathsOf(paths, values, 'load --cluster --temporary-definitions'),
    ...limits,
    budgetMs: values.budget,
    output: values.output,
    options: optionsOf(values),
    ...runSettingsOf(values),
  };
}
