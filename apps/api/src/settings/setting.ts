import { readFileSync } from 'node:fs';
import { z } from 'zod';

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
interface Default<Value> {
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

/** Number of bytes of a mebibyte and of a gibibyte. */
export const MIB = 1024 ** 2;
export const GIB = 1024 ** 3;

interface About {
  readonly doc: string;
  readonly secret?: true;
}

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/** Values of one kind: their schema, the same in words, and the text of a default. */
interface Kind<Value> {
  readonly schema: z.ZodType<Value>;
  readonly allowed: string;
  readonly textOf?: (value: Value) => string;
}

/** Function that declares a setting of one kind. A setting without a default value may be undefined. */
interface Declare<Value, Form> {
  (variable: string, initial: Value | Default<Value>, about: About & Form): Setting<Value>;
  (variable: string, initial: Default<undefined>, about: About & Form): Setting<Value | undefined>;
}

function kind<Value extends string | number | boolean | readonly string[], Form = unknown>(
  kindOf: (form: Form) => Kind<Value>,
): Declare<Value, Form> {
  const declare = (variable: string, initial: Value | Default<Value | undefined>, about: About & Form): Setting<Value | undefined> => {
    const { schema, allowed, textOf = code } = kindOf(about);
    const computed = typeof initial === 'object' && 'valueIn' in initial ? initial : { valueIn: () => initial, text: textOf(initial) };
    return { variable, doc: about.doc, schema, allowed, default: computed, roles: PROCESS_ROLES, isSecret: about.secret === true };
  };
  // The two overloads of `Declare` state when the value may be undefined.
  return declare as Declare<Value, Form>;
}

/** Declares a whole number, from 1 unless `min` is given. */
export const count = kind<number, Bounds & { readonly unit?: string }>(({ unit, ...form }) =>
  wholeNumber(form, unit === undefined ? '' : ` of ${unit}`),
);

/** Declares a number of bytes, from 1,024 unless `min` is given. */
export const bytes = kind<number, Bounds>((form) => ({
  ...wholeNumber({ min: 1024, ...form }, ' of bytes'),
  textOf: (value) => `${code(value)} (${sizeText(value)})`,
}));

/** Declares a time in milliseconds, from 1 unless `min` is given. */
export const milliseconds = kind<number, Bounds>((form) => ({
  ...wholeNumber(form, ' of milliseconds'),
  textOf: (value) => `${code(value)} (${timeText(value)})`,
}));

/** Declares a time that is set in minutes. Its value is in milliseconds. */
export const minutes = kind<number>(() => ({
  schema: z.coerce
    .number()
    .min(0)
    .transform((value) => value * 60_000),
  allowed: 'a number of minutes from 0',
  textOf: (value) => code(value / 60_000),
}));

/** Declares a setting that is on or off. */
export const flag = kind<boolean>(() => ({ schema: z.stringbool(), allowed: '`true` or `false`' }));

/** Declares a text. The second kind of text may not be empty. */
export const text = kind<string>(() => ({ schema: z.string(), allowed: 'a text' }));
export const filledText = kind<string>(() => ({ schema: z.string().min(1), allowed: 'a text that is not empty' }));

/** Declares the path of a file or folder. The second kind of path may not be empty. */
export const path = kind<string>(() => ({ schema: z.string(), allowed: 'a path' }));
export const filledPath = kind<string>(() => ({ schema: z.string().min(1), allowed: 'a path that is not empty' }));

/** Declares a URL. The second kind of URL is the address of a web page. */
export const url = kind<string>(() => ({ schema: z.url(), allowed: 'a URL' }));
export const webUrl = kind<string>(() => ({ schema: z.url({ protocol: /^https?$/ }), allowed: 'a URL of http or https' }));

/** Declares a list of names. */
export const names = kind<readonly string[]>(() => ({
  schema: z.string().transform((list) => list.split(',').flatMap((name) => name.trim() || [])),
  allowed: 'names, separated by commas',
  textOf: (list) => (list.length === 0 ? 'no names' : code(list.join(','))),
}));

/** Declares a setting that is one of several words. */
export const oneOf = <const Word extends string>(words: readonly Word[], variable: string, initial: Word, about: About): Setting<Word> =>
  kind<Word>(() => ({ schema: z.enum(words), allowed: OR.format(words.map(code)) }))(variable, initial, about);

/** Returns the default of a setting that has no value unless it is set. `meaning` says what happens then. */
export const none = (meaning: string): Default<undefined> => ({ valueIn: () => undefined, text: meaning });

/** Returns a default number of bytes: `least`, or `times` the value of another setting if that is more. */
export const atLeast = (least: number, times: 2 | 4, other: Setting<number>): Default<number> => ({
  valueIn: (read) => Math.max(least, times * read(other)),
  text: `${code(least)} (${sizeText(least)}), or ${times === 2 ? 'twice' : 'four times'} ${code(other.variable)} if that is more`,
});

const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const code = (value: unknown): string => `\`${String(value)}\``;
const sizeText = (size: number): string => (size < GIB ? `${size / MIB} MiB` : `${size / GIB} GiB`);
const timeText = (ms: number): string => (ms < 3_600_000 ? `${ms / 1000} s` : `${ms / 3_600_000} h`);

function wholeNumber({ min = 1, max = Number.MAX_SAFE_INTEGER }: Bounds, ofUnit: string): Kind<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  return { schema: z.coerce.number().int().min(min).max(max), allowed: `a whole number${ofUnit} ${range}` };
}

/** Returns the content of a file that a setting names. Throws an error with the variable of the setting if the file cannot be read. */
export function readNamedFile(variable: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new Error(`${variable}: ${file} cannot be read (${code})`, { cause: error });
  }
}
