import type { z } from 'zod';

/** Roles of a process of the service. {@link ProcessRole} is one of them. */
export const PROCESS_ROLES = ['node', 'api', 'worker'] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];

/** Declaration of a setting: an environment variable of the service, the values that it may have, its default and its documentation. */
export interface Setting<Value> {
  readonly variable: string;
  /** Meaning of the setting. */
  readonly doc: string;
  readonly schema: z.ZodType<Value>;
  /** Values that the schema accepts, in words: `a whole number from 1 to 64`. */
  readonly allowed: string;
  readonly default: Default<Value>;
  /** Roles of the processes that use the setting. */
  readonly roles: readonly ProcessRole[];
  /** True if the value, or the content of the file that it names, is secret. */
  readonly isSecret: boolean;
}

/** Default of a setting. The value may depend on other settings, which `read` returns. `text` describes the default for the documentation. */
export interface Default<Value> {
  readonly valueIn: (read: <Other>(setting: Setting<Other>) => Other) => Value;
  readonly text: string;
}

/** Settings by their keys in the configuration. A group of settings is an object in the configuration. */
export interface SettingTable {
  readonly [key: string]: Setting<unknown> | SettingTable;
}

/** Values of the settings of a table, by the same keys. */
export type SettingValues<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends Setting<infer Value> ? Value : SettingValues<Table[Key]>;
};

/**
 * Reads all settings of a table from environment variables. Throws an error with a line for each variable that is invalid. The error never
 * contains a secret.
 */
export function readSettings<Table extends SettingTable>(table: Table, variables: NodeJS.ProcessEnv): SettingValues<Table> {
  const problems = new Set<string>();
  const read = <Value>(setting: Setting<Value>): Value => {
    const given = variables[setting.variable];
    if (given === undefined) return setting.default.valueIn(read);
    const { success, data } = setting.schema.safeParse(given);
    if (success) return data;
    const shown = setting.isSecret ? '' : `, not ${JSON.stringify(given)}`;
    problems.add(`${setting.variable}: must be ${setting.allowed.replaceAll('`', '')}${shown}`);
    return setting.default.valueIn(read);
  };
  const values = changedSettings(table, read);
  if (problems.size > 0) throw new Error([...problems].join('\n'));
  return values as SettingValues<Table>;
}

/** Returns the declarations in a table and its groups, in their order. */
export function settingsIn(table: SettingTable): readonly Setting<unknown>[] {
  return Object.values(table).flatMap((entry) => (isSetting(entry) ? [entry] : settingsIn(entry)));
}

/** Returns a copy of a table, with the result of `change` in place of each declaration. */
export function changedSettings(table: SettingTable, change: (setting: Setting<unknown>) => unknown): Readonly<Record<string, unknown>> {
  const changed = Object.entries(table).map(([key, entry]) => [key, isSetting(entry) ? change(entry) : changedSettings(entry, change)]);
  return Object.fromEntries(changed) as Record<string, unknown>;
}

function isSetting(entry: Setting<unknown> | SettingTable): entry is Setting<unknown> {
  return typeof entry['variable'] === 'string';
}
