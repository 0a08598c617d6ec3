import { z } from 'zod';
import { PROCESS_ROLES } from './setting.ts';
import type { Default, Setting } from './setting.ts';

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
