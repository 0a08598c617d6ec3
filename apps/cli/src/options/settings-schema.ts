import { parse } from 'yaml';
import { z } from 'zod';
import { ADVICE_IDS } from '#documents';
import { MINOR_RANGE } from '#kube';
import { GATES } from '../gates/gate-list.ts';
import type { GateCommand, GateDeclaration } from '../gates/gate-list.ts';
import { gateForm, gateForms } from '../gates/read-gates.ts';
import { FileAccess } from '../files/file-access.ts';
import { FILE_LIMITS } from '../files/file-problem.ts';
import type { Repository } from '../files/repository.ts';
import { UsageError } from '../usage.ts';

// The schema takes long to create, so this module is loaded only for a settings file (`scripts/bundle.mjs`).

/** Maximum number of paths in a settings file. */
const MAX_PATHS = 1000;

/** Returns the schema of the gates of a command. */
function gatesSchema(command: GateCommand): z.ZodType<readonly string[]> {
  const gates: readonly GateDeclaration[] = GATES[command];
  const words = z.enum(gates.flatMap(({ name, form }) => (form === 'word' ? [name] : [])));
  const bounds = gates.flatMap((gate) =>
    gate.form === 'word'
      ? []
      : [
          z
            .string()
            .regex(new RegExp(`^${gate.name} *${gate.form} *[0-9.]+${gate.unit === 'percent' ? ' *%' : ''}$`))
            .describe(gateForm(gate)),
        ],
  );
  const error = `must be among ${gateForms(command).join(', ')}`;
  return z.array(bounds.length === 0 ? words : z.union([words, ...bounds], { error }));
}

/** Schema of `.assay.yaml`. Its fields are options of the command line under their long names. */
export const settingsFileSchema = z
  .strictObject({
    paths: z.array(z.string().min(1)).min(1).max(MAX_PATHS).describe('Files and folders for commands without PATH, relative to this file'),
    crds: z.string().min(1).describe('A folder with the definitions of the objects, relative to this file'),
    kubernetesVersion: z.string().describe(MINOR_RANGE),
    featureGates: z.record(z.string(), z.boolean()).describe('Feature gates that differ from the defaults of the version'),
    fieldValidation: z.enum(['Strict', 'Warn', 'Ignore']).describe('The treatment of unknown and duplicate fields'),
    failOn: z
      .strictObject({
        evaluate: gatesSchema('evaluate'),
        'what-if': gatesSchema('what-if'),
        diff: gatesSchema('diff'),
        bench: gatesSchema('bench'),
      })
      .partial()
      .describe('Gates that end with status 1, by command, as in --fail-on (docs/reference/gates.md)'),
    strictKinds: z.boolean().describe('true: objects without a definition fail an evaluation'),
    advice: z
      .union([z.boolean(), z.strictObject({ off: z.array(z.enum(ADVICE_IDS)).min(1) })])
      .describe('false: no advice. Or the kinds of advice to switch off'),
    oldest: z
      .string()
      .describe(
        'The oldest Kubernetes version that must accept the definitions, such as 1.30: advice names parts that this version does not know',
      ),
    quiet: z.boolean().describe('true: print only problems'),
    ignore: z.boolean().describe('true: leave out files that .gitignore names; default true'),
    offline: z.boolean().describe('true: refuse to fetch addresses (https://…)'),
    timeout: z.string().describe('Time after which a command ends, such as 2m'),
  })
  .partial();

/** Settings as a settings file contains them. */
export type WrittenSettings = z.output<typeof settingsFileSchema>;

/** Reads a settings file inside its repository. Throws {@link UsageError} with the reason if the file is not valid. */
export function readSettingsFile(file: string, repository: Repository): WrittenSettings {
  const text = new FileAccess().inside(repository).read(file, FILE_LIMITS.settings);
  if (!text.ok) throw new UsageError(`${file}: ${text.problem}`);
  let document: unknown;
  try {
    document = parse(text.content.toString('utf8'), { logLevel: 'error' });
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof RangeError ? 'nested too deeply' : (error as Error).message.trim()}`);
  }
  const read = settingsFileSchema.safeParse(document ?? {});
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
  throw new UsageError(`${file}: ${problems.join('; ')}`);
}
