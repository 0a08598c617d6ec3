import { InvalidArgumentError, Option } from 'commander';
import type { Minor } from '#kube';
import { minorsOf } from '../options/option-values.ts';
import type { GateCommand, GateName } from './gate-list.ts';
import { gateForms, gateMinors, readGates } from './read-gates.ts';
import type { Gate } from './read-gates.ts';

/**
 * Returns the option `--fail-on` of a command. `defaults` are the gates without the option. The option may be given several times, and then
 * all of its gates count. Its parser throws `InvalidArgumentError` with the list of gates for an unknown one.
 */
export function failOnOption<Command extends GateCommand>(command: Command, defaults: readonly Gate<GateName<Command>>[]): Option {
  const list = gateForms(command).join(', ');
  const option = new Option('--fail-on <gates>', `gates that end with status 1, separated by commas, of ${list} (docs/reference/gates.md)`);
  option.argParser((text: string, before: readonly Gate<GateName<Command>>[] | undefined) => {
    const read = readGates(command, text);
    if (!read.ok) throw new InvalidArgumentError(read.error);
    return [...(before === undefined || before === defaults ? [] : before), ...read.gates];
  });
  return option.default(defaults, defaults.length === 0 ? 'none' : defaults.map(({ text }) => text).join(','));
}

/** Returns the option `--minors` of commands whose gates compare estimates. */
export const gateMinorsOption = (): Option =>
  new Option(
    '--minors <versions>',
    'the versions whose estimates --fail-on compares, separated by commas (default: the version of --kubernetes-version, or all released versions)',
  ).argParser(minorsOf);

/** Values of the options that choose the minor versions of the gates. */
export interface GateMinorValues {
  readonly minors?: readonly Minor[];
  readonly kubernetesVersion?: Minor;
}

/** Returns the minor versions whose estimates the gates compare. */
export function gateMinorsOf({ minors, kubernetesVersion }: GateMinorValues): readonly Minor[] {
  return gateMinors(minors ?? (kubernetesVersion === undefined ? undefined : [kubernetesVersion]));
}

/** Returns gates that are words, without bounds. */
export const wordGates = <Name extends GateName>(...names: readonly Name[]): readonly Gate<Name>[] =>
  names.map((name) => ({ kind: 'word', name, text: name }));
