import { Option } from 'commander';
import type { Command as Program } from 'commander';
import { checkOptions, defaultOptions } from '#documents';
import type { EvaluationOptions, FieldValidation } from '#documents';
import { LATEST_MINOR, MINOR_RANGE } from '#kube';
import type { Minor } from '#kube';
import type { UnwantedAdvice } from '../evaluation/place-findings.ts';
import { durationOf, fieldValidationOf, gatesOf, minorOf, rulesOf, unwantedAdviceOf } from './option-values.ts';
import { FileAccess } from '../files/file-access.ts';
import type { Repository } from '../files/repository.ts';
import type { ReadingSettings } from '../documents/read-inputs.ts';
import { Timeout } from '../timeout.ts';
import { UsageError } from '../usage.ts';
import type { ClusterOption } from '../cluster/read-cluster.ts';

// This module declares the options that several commands share, and the types of their values.

const PATHS = 'a file (.yaml, .yml, .json, .ndjson), a folder, a quoted pattern such as "**/crd*.yaml", an address (https://…), or -';

/** Values of the options that several commands share, as commander parses them. */
export interface Values {
  readonly output: string;
  readonly filename?: readonly string[];
  readonly kubernetesVersion?: Minor;
  readonly featureGates?: Record<string, boolean>;
  readonly fieldValidation?: FieldValidation;
  readonly explain?: boolean;
  readonly returnObjects?: boolean;
  readonly asSent?: boolean;
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly authorizer?: unknown;
  /** True if files that `.gitignore` excludes are left out; false if `--no-ignore` is given. */
  readonly ignore?: boolean;
  readonly offline?: boolean;
  /** Maximum duration of the command, in milliseconds. */
  readonly timeout?: number;
  readonly crds?: string;
  readonly cluster?: boolean;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly allowExec?: boolean;
  /** Kinds of advice that are suppressed; true if no advice is suppressed. */
  readonly advice?: true | UnwantedAdvice;
  readonly oldest?: Minor;
  /** Repository of the settings file, if the settings file names the paths of the command. */
  readonly repository?: Repository;
}

/** Adds a value to the list of an option that may be given several times. */
export const collected = (path: string, paths: readonly string[] = []): readonly string[] => [...paths, path];

/** Adds the path arguments to a command. */
export const withPaths = (command: Program): Program =>
  command.argument('[PATH...]', PATHS).option('-f, --filename <path>', 'the same as PATH; allowed several times', collected);

/** Adds the option for the output form to a command. */
export const withOutput = (command: Program, forms: readonly string[]): Program =>
  command.addOption(new Option('-o, --output <form>', 'form of the result').choices([...forms]).default('text'));

/** Adds the options for the server's minor version and feature gates to a command. */
export const withServer = (command: Program): Program =>
  withGates(
    command.addOption(
      new Option('-k, --kubernetes-version <version>', `${MINOR_RANGE}, also as v1.33 or 1.33.2 (default: ${LATEST_MINOR})`).argParser(
        minorOf,
      ),
    ),
  );

/** Adds to a command the server options that do not depend on a minor version: feature gates and `--as-sent`. */
export const withGates = (command: Program): Program =>
  command
    .option('--feature-gates <gates>', 'A=true,B=false: feature gates that differ from the defaults of the version', gatesOf)
    .option('--as-sent', 'keep the resourceVersion of creates and definitions (default: remove it)');

/** Adds to a command the options that describe the user who writes the objects. Admission policies read these values. */
export const withWriter = (command: Program): Program =>
  command
    .option('--as <user>', 'the user of the requests, for admission policies (default: an administrator)')
    .option('--as-group <group>', 'a group of the user; allowed several times', collected)
    .option(
      '--authorizer <file>',
      'a list of lines {user, group, verb, apiGroup, resource, …, decision}: the first line that matches an authorizer check of a policy decides',
      rulesOf,
    );

/**
 * Adds the option `--field-validation` with a default. kubectl requests `Strict`, and a server uses `Warn` if a request sets no value. The
 * option applies to definitions, policies and objects.
 */
export const withFieldValidation = (command: Program, strictness: FieldValidation): Program =>
  command.addOption(
    new Option(
      '--field-validation <word>',
      'treatment of unknown and duplicate fields (Strict, Warn or Ignore), except in definitions of a cluster or of --crds',
    )
      .argParser(fieldValidationOf)
      .default(strictness),
  );

/**
 * Returns the paths of a command: first the values of `--filename`, and after them the arguments. Throws {@link UsageError} if the command
 * line has no paths.
 */
export function pathsOf(paths: readonly string[], { filename = [] }: Values, name: string): readonly string[] {
  const all = [...filename, ...paths];
  if (all.length === 0) throw new UsageError(`${name} needs files: assay ${name} PATH`);
  return all;
}

/**
 * Returns the evaluation options for the parsed values. Throws {@link UsageError} if a value is invalid. Only feature gates and the options
 * for admission policies need the schema of the options, which takes long to load. The parser of each other option checks its value.
 */
export function optionsOf({
  kubernetesVersion,
  fieldValidation,
  featureGates,
  explain = false,
  returnObjects = false,
  asSent = false,
  as: username,
  asGroup: groups,
  authorizer,
  oldest,
}: Values): EvaluationOptions {
  const checked: EvaluationOptions = {
    ...defaultOptions(),
    ...(kubernetesVersion !== undefined && { kubernetesVersion }),
    ...(fieldValidation !== undefined && { fieldValidation }),
    ...(oldest !== undefined && { oldestVersion: oldest }),
    explain,
    returnObjects,
    asSent,
  };
  if ([username, groups, authorizer, featureGates].every((value) => value === undefined)) return checked;
  const userInfo = username === undefined && groups === undefined ? {} : { userInfo: { username, groups } };
  const options = checkOptions({
    ...checked,
    ...(featureGates !== undefined && { featureGates }),
    admission: { ...userInfo, ...(authorizer !== undefined && { authorizer }) },
  });
  if (!options.ok) throw new UsageError(options.status.message);
  return options.value;
}

/**
 * Adds the arguments and options of a command that reads definitions and objects from files. `strictness` is the default of
 * `--field-validation`. Does not add the option for the Kubernetes version.
 */
export const withDocuments = (command: Program, strictness: FieldValidation, forms: readonly string[]): Program =>
  withWriter(withFieldValidation(withOutput(withPaths(command), forms), strictness));

/** Settings that every command has in addition to its own options. */
export interface CommandSettings {
  /** Settings for the paths of the command. Other options that name files are read with {@link namedByOptions}. */
  readonly reading: ReadingSettings;
  /** Time in ms after which the command is ended; undefined for no limit. */
  readonly timeoutMs: number | undefined;
}

/** Returns the settings for reading files, and the timeout. */
export function runSettingsOf({ ignore = true, offline = false, timeout, repository }: Values): CommandSettings {
  return { reading: { ignore, offline, access: new FileAccess(new Timeout(timeout), repository) }, timeoutMs: timeout };
}

/** Returns the settings for files that options of the command line name, such as `--old`. They may lie anywhere. */
export const namedByOptions = (reading: ReadingSettings): ReadingSettings => ({ ...reading, access: reading.access.anywhere() });

/** Adds `--crds` to a command. The option names the folder in which missing definitions are searched. */
export const withCrdsOption = (command: Program): Program =>
  command.option(
    '--crds <folder>',
    'a folder of any size with definitions that are not in PATH: files, Helm charts (crds/, also in .tgz), OCI layouts with charts',
  );

/** Adds the options `--no-advice` and `--oldest` to a command. Both options control the advice on definitions. */
export const withAdvice = (command: Program): Program =>
  command
    .addOption(
      new Option(
        '--no-advice [ids]',
        'give no advice; --no-advice=ID,… switches off only these kinds (docs/reference/advice.md)',
      ).argParser(unwantedAdviceOf),
    )
    .option(
      '--oldest <version>',
      'the oldest Kubernetes version that must accept the definitions: advice names parts that this version does not know',
      minorOf,
    );

/** Returns the kinds of advice that the command line or the settings file suppresses, or `all`. */
export const unwantedOf = ({ advice = true }: Values): UnwantedAdvice => (advice === true ? [] : advice);

/** Adds `--timeout` to a command. */
export const withTimeout = (command: Program): Program =>
  command.option('--timeout <duration>', 'end the command after this time, such as 30s or 2m, with status 1', durationOf);

/** Adds `--no-ignore` and `--offline` to a command that reads folders and addresses. */
export const withReading = (command: Program): Program =>
  command.option('--no-ignore', 'also read files that .gitignore names').option('--offline', 'refuse to fetch anything (https://…)');

// These options belong to all commands that can read from a cluster.

/** Adds to a command the options that choose a cluster. */
export const withClusterChoice = (command: Program): Program =>
  command
    .option('--kubeconfig <file>', 'the kubeconfig (default: KUBECONFIG, ~/.kube/config, or the account of the pod)')
    .option('--context <name>', 'a context in the kubeconfig')
    .option('--allow-exec', 'run the program that the kubeconfig names for credentials');

/**
 * Returns the chosen cluster; undefined if no cluster is requested. Throws {@link UsageError} if cluster options are given without
 * `--cluster`.
 */
export function clusterOf({ cluster, kubeconfig, context, allowExec, kubernetesVersion }: Values): ClusterOption | undefined {
  if (cluster === true) return { kubeconfig, context, allowExec: allowExec === true, ownMinor: kubernetesVersion === undefined };
  if (kubeconfig !== undefined || context !== undefined || allowExec === true)
    throw new UsageError('--kubeconfig, --context and --allow-exec go with --cluster');
  return undefined;
}

/**
 * Returns no paths, because with `--cluster` the command reads the objects of the cluster. Throws {@link UsageError} if paths are given.
 */
export function noPaths(paths: readonly string[], { filename = [] }: Values): readonly string[] {
  if (paths.length + filename.length > 0) throw new UsageError('with --cluster no files are judged: leave PATH out');
  return [];
}
