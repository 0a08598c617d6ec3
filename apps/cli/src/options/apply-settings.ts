import { InvalidArgumentError } from 'commander';
import type { Command as Program } from 'commander';
import type { ProjectSettings } from './settings-file.ts';
import { UsageError } from '../usage.ts';

/**
 * Sets the options of a command to the values in the project settings, unless the command line sets them. Throws {@link UsageError} if a
 * value is invalid.
 */
export function applySettings(command: Program, settings: ProjectSettings): void {
  const { file, repository, failOn, paths, advice, ...others } = settings;
  const values: Record<string, unknown> = {
    ...others,
    advice: advice === false ? 'all' : typeof advice === 'object' ? advice.off.join(',') : undefined,
    failOn: (failOn as Readonly<Record<string, unknown>> | undefined)?.[command.name()],
  };
  const takesPaths = command.options.some((option) => option.attributeName() === 'filename');
  if (paths !== undefined && takesPaths && command.args.length === 0 && command.getOptionValue('filename') === undefined) {
    values['filename'] = paths;
    command.setOptionValueWithSource('repository', repository, 'config');
  }
  for (const option of command.options) {
    const key = option.attributeName();
    const value = values[key];
    const source = command.getOptionValueSource(key);
    if (value === undefined || (source !== undefined && source !== 'default')) continue;
    command.setOptionValueWithSource(key, typeof value === 'string' ? parsed(option.parseArg, value, `${file}: ${key}`) : value, 'config');
  }
}

function parsed(parse: Program['options'][number]['parseArg'], text: string, place: string): unknown {
  try {
    return parse === undefined ? text : parse(text, undefined);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new UsageError(`${place}: ${error.message}`);
  }
}
