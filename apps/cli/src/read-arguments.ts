import { load } from 'js-yaml';
import { readFileSync } from 'node:fs';
import { Command as Program, CommanderError, InvalidArgumentError, Option } from 'commander';
import { readFeatureGates } from '#kube';
import { checkOptions, EFFECTS } from '#evaluation';
import type { Effect, EvaluationOptions } from '#evaluation';
import { SUITE_REPORTS } from './suite/report-suites.ts';
import type { SuiteReport } from './suite/report-suites.ts';
import { UsageError } from './usage.ts';

const OUTPUT_FORMS = ['text', 'json', 'yaml'] as const;

/** A form in which results are printed. */
export type OutputForm = (typeof OUTPUT_FORMS)[number];

/** A command about documents: definitions and objects. */
export interface DocumentCommand {
  readonly name: 'evaluate' | 'explain' | 'matrix';
  readonly paths: readonly string[];
  readonly output: OutputForm;
  readonly options: EvaluationOptions;
  /** Where the objects are as they were before; empty for none. */
  readonly old: readonly string[];
  /** Objects of kinds that no definition is there for are counted, and nothing else. */
  readonly ignoreMissing: boolean;
}
/** A command about test suites. */
export interface TestCommand {
  readonly name: 'test';
  readonly paths: readonly string[];
  readonly output: SuiteReport;
  readonly options: EvaluationOptions;
  readonly watch: boolean;
}

/** A command about a change of a definition. */
export interface WhatIfCommand {
  readonly name: 'what-if';
  /** Files of the definition as it is, and as it shall be. */
  readonly from: string;
  readonly to: string;
  readonly paths: readonly string[];
  readonly output: OutputForm;
  readonly options: EvaluationOptions;
  /** Effects of which one object is enough for exit status 1. */
  readonly failOn: readonly Effect[];
}

/** A request for help. */
export interface HelpCommand {
  readonly name: 'help';
  readonly text: string;
}

/** A command line, understood. */
export type Command = HelpCommand | DocumentCommand | TestCommand | WhatIfCommand;

/** Reads the command line; each command takes its own options only. Throws {@link UsageError}. */
export function readArguments(argv: readonly string[]): Command {
  let command: Command | undefined;
  let help = '';
  const program = programOf(
    (understood) => (command = understood),
    (text) => (help += text),
  );
  if (argv.length === 0) return { name: 'help', text: program.helpInformation() };
  try {
    program.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0 || error.code === 'commander.help') return { name: 'help', text: help };
    throw new UsageError(error.message.replace(/^error: /, ''));
  }
  return command ?? { name: 'help', text: program.helpInformation() };
}

/** All help there is, command by command; docs/command-line.md is made of it. */
export function helpPages(): readonly { readonly name: string; readonly text: string }[] {
  const program = programOf(
    () => undefined,
    () => undefined,
  );
  return [program, ...program.commands].map((one) => ({ name: one.name(), text: one.helpInformation() }));
}

const PATHS = 'a file (.yaml, .yml, .json, .ndjson), a folder (searched recursively), or - for standard input';

function programOf(understand: (command: Command) => void, write: (text: string) => void): Program {
  const program = new Program('assay')
    .description("The kube-apiserver's verdict on custom resources, with the price of every rule.")
    .usage('COMMAND [options] [PATH…]')
    .addHelpText('after', EXIT_STATUS)
    .configureHelp({ helpWidth: 120, subcommandTerm: (command) => command.name() })
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => undefined });
  const documents = (name: DocumentCommand['name'], summary: string): Program =>
    withServer(withOutput(withPaths(program.command(name).description(summary)), OUTPUT_FORMS)).action((paths: string[], values: Values) =>
      understand({
        name,
        paths: pathsOf(paths, values, name),
        output: values.output as OutputForm,
        options: optionsOf(values),
        old: values.old ?? [],
        ignoreMissing: values.ignoreMissing === true,
      }),
    );
  documents('evaluate', 'judge objects against the definitions among the files')
    .option('--explain', 'list what each rule cost')
    .option('--return-objects', 'print accepted objects as they would be stored')
    .option(
      '--old <path>',
      'objects as they were before, such as a folder of another revision: those of the same kind and name are judged as updates; may be given several times',
      collected,
    )
    .option('--as <user>', 'who writes, for admission policies; default: an administrator')
    .option('--as-group <group>', 'a group of that user; may be given several times', collected)
    .option(
      '--authorizer <file>',
      'a list of lines {user, group, verb, apiGroup, resource, …, decision}: the first that fits answers what policies ask',
      rulesOf,
    )
    .option('--ignore-missing', 'pass over objects that no definition is there for, such as Deployments: they are only counted');
  documents(
    'explain',
    'what each part of each rule costs, by estimate and as measured in objects; which bounds would bring it under its limit',
  );
  documents('matrix', 'the same documents against 1.30 … 1.37: where verdicts, texts or costs change');
  withServer(
    withOutput(withPaths(program.command('what-if').description(WHAT_IF)), OUTPUT_FORMS)
      .requiredOption('--from <old>', 'file of the definition, or files of the policies, as they are')
      .requiredOption('--to <new>', 'the same as it shall be')
      .addOption(
        new Option('--fail-on <effects>', `effects that end with status 1, with commas, of ${EFFECTS.join(', ')}`)
          .argParser(effectsOf)
          .default(DEFAULT_FAIL_ON, DEFAULT_FAIL_ON.join(',')),
      ),
  ).action((paths: string[], values: Values & { from: string; to: string; failOn: readonly Effect[] }) =>
    understand({
      name: 'what-if',
      from: values.from,
      to: values.to,
      failOn: values.failOn,
      paths: pathsOf(paths, values, 'what-if'),
      output: values.output as OutputForm,
      options: optionsOf(values),
    }),
  );
  withServer(withOutput(withPaths(program.command('test').description(TEST)), SUITE_REPORTS))
    .option('-w, --watch', 'after a change run what it is about again, until Ctrl-C, which ends with the status by then')
    .action((paths: string[], values: Values & { watch?: boolean }) =>
      understand({
        name: 'test',
        paths: pathsOf(paths, values, 'test'),
        output: values.output as SuiteReport,
        options: optionsOf(values),
        watch: values.watch === true,
      }),
    );
  return program;
}

const WHAT_IF =
  'a changed definition over stored objects: who is broken, breaks on the next change, is saved by ratcheting, is stored differently. Status 0 only if at least one object was judged';
const DEFAULT_FAIL_ON: readonly Effect[] = ['brokenOnUpdate', 'breaksOnNextChange', 'notJudged'];
const TEST =
  'run test suites: files named …suite.yaml, in the format of openshift/api or of gator, kyverno-test.yaml, tests.json of kubescape';
const EXIT_STATUS = '\nExit status: 0 everything accepted, 1 something rejected or not judged, 2 wrong usage, 3 internal error.';

/** What commander reads of the options that several commands have. */
interface Values {
  readonly output: string;
  readonly filename?: readonly string[];
  readonly kubernetesVersion?: string;
  readonly featureGates?: Record<string, boolean>;
  readonly fieldValidation?: string;
  readonly explain?: boolean;
  readonly returnObjects?: boolean;
  readonly asSent?: boolean;
  readonly ignoreMissing?: boolean;
  readonly old?: readonly string[];
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly authorizer?: unknown;
}

const collected = (path: string, paths: readonly string[] = []): readonly string[] => [...paths, path];

const withPaths = (command: Program): Program =>
  command.argument('[PATH...]', PATHS).option('-f, --filename <path>', 'the same as PATH; may be given several times', collected);

const withOutput = (command: Program, forms: readonly string[]): Program =>
  command.addOption(new Option('-o, --output <form>', 'form of the result').choices([...forms]).default('text'));

const withServer = (command: Program): Program =>
  command
    .option('-k, --kubernetes-version <minor>', '1.30 … 1.37 (default: 1.37)')
    .option('--feature-gates <gates>', 'A=true,B=false: gates of that server that are not as its minor has them', gatesOf)
    .option('--field-validation <word>', 'Strict, Warn or Ignore (default: Warn)')
    .option('--as-sent', 'judge creates and definitions with the resourceVersion that a dump gave them (default: without)');

function pathsOf(paths: readonly string[], { filename = [] }: Values, name: string): readonly string[] {
  const all = [...filename, ...paths];
  if (all.length === 0) throw new UsageError(`${name} needs files: assay ${name} PATH`);
  return all;
}

function optionsOf({
  kubernetesVersion,
  fieldValidation,
  featureGates,
  explain = false,
  returnObjects = false,
  asSent = false,
  as: username,
  asGroup: groups,
  authorizer,
}: Values): EvaluationOptions {
  const userInfo = username === undefined && groups === undefined ? {} : { userInfo: { username, groups } };
  const options = checkOptions({
    ...(kubernetesVersion !== undefined && { kubernetesVersion }),
    ...(fieldValidation !== undefined && { fieldValidation }),
    ...(featureGates !== undefined && { featureGates }),
    explain,
    returnObjects,
    asSent,
    admission: { ...userInfo, ...(authorizer !== undefined && { authorizer }) },
  });
  if (!options.ok) throw new UsageError(options.status.message);
  return options.value;
}

function rulesOf(file: string): unknown {
  try {
    return load(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new InvalidArgumentError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function gatesOf(text: string): Record<string, boolean> {
  const read = readFeatureGates(text);
  if (!read.ok) throw new InvalidArgumentError(read.error);
  return read.gates;
}

function effectsOf(text: string): readonly Effect[] {
  const words = text.split(',').map((word) => word.trim());
  const unknown = words.filter((word) => !(EFFECTS as readonly string[]).includes(word));
  if (unknown.length > 0) throw new InvalidArgumentError(`${unknown.join(', ')}: must be among ${EFFECTS.join(', ')}.`);
  return words as Effect[];
}
