import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { JOB_LIFE, STATES } from '../../life/job-life.ts';
import type { Transition } from '../../life/job-life.ts';
import { JOBS_OF_FLOW, LINES, STUDIES_OF_FLOW, STUDY_LINE } from '../../life/job-kind.ts';
import { MIN_RETENTION_MS, SMALL_RESULT_BYTES } from '../../limits.ts';
import { REDIS_FORM } from '../../stored-form.ts';

/** One argument of a command, as declared in the header of its `.lua` file. */
interface LuaArgument {
  readonly name: string;
  /** TypeScript type of the argument, as source text. */
  readonly type: string;
  /** Description of the argument. Empty if the header contains no description. */
  readonly words: string;
}

/** Content of one `.lua` file, with its parsed header. */
export interface LuaPart {
  /** Path of the file below its folder, without `.lua`. */
  readonly name: string;
  /** Description from the header: the lines that are not annotations. */
  readonly words: string;
  /**
   * Invariant of the command that only an atomic script can guarantee, because a MULTI transaction cannot. Empty for parts that several
   * commands include.
   */
  readonly invariant: string;
  readonly arguments: readonly LuaArgument[];
  readonly returns: string;
  readonly keys: string;
  readonly includes: readonly string[];
  readonly code: string;
}

/** Name of the part that is generated from TypeScript, unlike all other parts, which are read from files. */
const CONSTANTS = 'include/constants';

/** Reads one `.lua` file, or generates the constants, and parses the header. */
function readPart(folder: string, name: string): LuaPart {
  const text = name === CONSTANTS ? constantsLua() : readFileSync(join(folder, `${name}.lua`), 'utf8');
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('---'));
  const header = lines.slice(0, end).map((line) => line.slice(3).trim());
  const tagged = (tag: string): string[] => header.filter((line) => line.startsWith(tag)).map((line) => line.slice(tag.length).trim());
  return {
    name,
    words: header.filter((line) => !line.startsWith('@') && !line.startsWith('KEYS[')).join(' '),
    invariant: tagged('@invariant ').join(' '),
    arguments: tagged('@argument ').map(readArgument),
    returns: tagged('@returns ').join(' '),
    keys: tagged('KEYS[').join(' '),
    includes: tagged('@include '),
    code: lines.slice(end).join('\n').trim(),
  };
}

/** Parses an argument declaration `name type words`. The type ends at two consecutive spaces. */
function readArgument(line: string): LuaArgument {
  const [, name = '', type = '', words = ''] = /^(\S+) (.+?)(?: {2}(.*))?$/.exec(line) ?? [];
  return { name, type, words };
}

/** Reads and parses the Redis commands: one for each `.lua` file directly in the folder, sorted by file name. */
export function readCommands(folder: string): readonly LuaPart[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.lua'))
    .toSorted()
    .map((file) => readPart(folder, file.slice(0, -'.lua'.length)));
}

/**
 * Returns the Lua files that make up the script of a command, in the order in which they must be concatenated. Each file appears once,
 * after all files that it includes. The file of the command is last.
 */
export function luaPartsOf(folder: string, command: LuaPart): readonly LuaPart[] {
  const parts = new Map<string, LuaPart>();
  add(command);
  return [...parts.values()];

  function add(part: LuaPart): void {
    for (const name of part.includes) if (!parts.has(name)) add(readPart(folder, name));
    parts.set(part.name, part);
  }
}

/** Returns the TypeScript module that holds all commands with the types of their arguments. */
export function bundle(folder: string): string {
  const commands = readCommands(folder);
  const shared = new Map<string, LuaPart>();
  for (const command of commands) for (const part of luaPartsOf(folder, command)) if (part !== command) shared.set(part.name, part);
  const types = [...new Set(commands.flatMap((command) => command.arguments.flatMap(({ type }) => type.match(/[A-Z]\w+/g) ?? [])))]
    .filter((type) => !['Readonly', 'Record', 'Uint8Array'].includes(type))
    .toSorted();
  return [
    `import type { ${['LuaCommand', ...types].toSorted().join(', ')} } from './command.ts';`,
    '',
    ...[...shared.values()].map((part) => `const ${constantOf(part.name)} = ${literal(part.code)};\n`),
    ...commands.flatMap((command) => [argumentsType(command), commandConstant(folder, command)]),
  ].join('\n');
}

/** Returns the first sentence of a header, with a small letter at its start. */
function firstSentence(words: string): string {
  const [first = ''] = words.split(/(?<=\.) /);
  return `${first.slice(0, 1).toLowerCase()}${first.slice(1)}`;
}

function argumentsType(command: LuaPart): string {
  const fields = command.arguments.flatMap(({ name, type, words }) => [
    ...(words ? [`  /** ${words}. */`] : []),
    `  readonly ${name}: ${type};`,
  ]);
  return [
    `/** Arguments of the script {@link ${constantOf(command.name)}}. The script ${firstSentence(command.words)} */`,
    `export interface ${typeOf(command.name)} {`,
    ...fields,
    '}',
    '',
  ].join('\n');
}

function commandConstant(folder: string, command: LuaPart): string {
  const parts = luaPartsOf(folder, command).map((part) => (part === command ? literal(part.code) : constantOf(part.name)));
  const type = `LuaCommand<${typeOf(command.name)}>`;
  return [
    '/**',
    ` * ${command.words}`,
    ' *',
    ` * Reason for an atomic script: ${command.invariant}.`,
    ' *',
    ` * Returns ${command.returns}.`,
    ' */',
    `export const ${constantOf(command.name)}: ${type} = {`,
    `  name: '${command.name}',`,
    `  lua: [${parts.join(', ')}].join('\\n'),`,
    '};',
    '',
  ].join('\n');
}

const constantOf = (name: string): string => name.replace('include/', '').replaceAll('-', '_').toUpperCase();
const typeOf = (name: string): string => `${name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}Arguments`;
/** Returns code as a template literal. Comment lines are kept so that the line numbers in Redis' error messages stay correct. */
const literal = (code: string): string => `\`\n${code.replaceAll(/[\\`]|\$\{/g, (special) => `\\${special}`)}\n\``;

/** Maximum number of jobs for which one call of a script removes the charge of expired results. */
const CHARGES_A_CALL = 1000;
/** Time in ms for which Redis keeps the ends that a heartbeat reported, so that a repeated call reports the same ends. It exceeds the timeout of a command. */
const REPLY_KEPT_MS = 60_000;
/** Time in ms for which the index of jobs keeps a job after all its keys have expired. */
const INDEX_SPARE_MS = 86_400_000;

/** Returns Lua code that declares the constants and the state transitions of jobs. TypeScript code declares the same values. */
function constantsLua(): string {
  const constants = {
    TOLD_MS: REPLY_KEPT_MS,
    CHARGES_A_CALL,
    SMALL_RESULT_BYTES,
    MIN_RETENTION_MS,
    REDIS_FORM,
    INDEX_SPARE_MS,
    JOBS_OF_FLOW,
    STUDIES_OF_FLOW,
  };
  return [
    ...Object.entries(constants).map(([name, value]) => `local ${name} = ${value}`),
    `local STUDY_LINE = '${STUDY_LINE}'`,
    `local LINE_NAMES = { ${LINES.map((line) => `'${line}'`).join(', ')} }`,
    ...lifeLua(),
  ].join('\n');
}

/** Returns Lua code for `JOB_LIFE` as a function. It is not a table, because Redis would build the whole table again each time a script runs. */
function lifeLua(): string[] {
  return [
    '-- The transition that an event takes in a state, from JOB_LIFE (life/job-life.ts).',
    'local function transitionOf(state, event, facts)',
    ...STATES.flatMap((state) => [`  if state == '${state}' then`, ...JOB_LIFE[state].map(transitionLua), '  end']),
    "  error('the life of a job has no ' .. event .. ' in the state ' .. state)",
    'end',
  ];
}

function transitionLua({ on, when, to, answer, effects }: Transition): string {
  const condition = `event == '${on}'${when === undefined ? '' : ` and facts.${when}`}`;
  const list = effects.map((effect) => `'${effect}'`).join(', ');
  return `    if ${condition} then return { on = '${on}', to = '${to}', answer = '${answer}', effects = { ${list} } } end`;
}
