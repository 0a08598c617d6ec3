import { checkOptions, definitionText, serverOf } from '#documents';
import type { EvaluationOptions } from '#documents';
import type { Minor } from '#kube';
import type { Engine } from '#runner';
import { judgeChange } from '#service';
import { evaluate } from '../../src/evaluation/evaluate.ts';
import type { EvaluationOutcome } from '../../src/evaluation/evaluate.ts';
import { documentsOf } from '../../src/documents/read-documents.ts';
import type { MessageCase } from './message-case.ts';

/** Documents that an engine judges. */
export type JudgedDocuments = Pick<MessageCase, 'documents' | 'stored'> & {
  readonly featureGates?: Readonly<Record<string, boolean>> | undefined;
};

/**
 * Returns all messages and warnings about documents in a Kubernetes version, one on each line. If there is a stored definition, returns only
 * the message about its update.
 */
export async function messagesOf(
  { documents, stored, featureGates }: JudgedDocuments,
  kubernetesVersion: Minor | undefined,
  engine: Engine,
): Promise<string> {
  const options = strictOptions(kubernetesVersion, featureGates);
  if (stored !== undefined) return messageOfChange(stored, documents[0] ?? '', options, engine);
  const { definitions, policyReports = [], items } = await outcomeOf(documents, options, engine);
  return [...definitions, ...policyReports, ...items].flatMap((one) => [one.status?.message ?? '', ...one.warnings]).join('\n');
}

/** Returns the options of an evaluation that reports unknown and duplicate fields as errors. */
export function strictOptions(kubernetesVersion?: Minor, featureGates?: Readonly<Record<string, boolean>>): EvaluationOptions {
  const options = checkOptions({
    fieldValidation: 'Strict',
    ...(kubernetesVersion && { kubernetesVersion }),
    ...(featureGates && { featureGates }),
  });
  if (!options.ok) throw new Error(options.status.message);
  return options.value;
}

/** Judges documents, each of which is the content of a file. */
export async function outcomeOf(documents: readonly string[], options: EvaluationOptions, engine: Engine): Promise<EvaluationOutcome> {
  const inputs = documents.map((text, i) => ({ name: `${i}.yaml`, bytes: Buffer.from(text) }));
  return evaluate(await documentsOf(inputs, engine), options, engine);
}

/** Returns the message with which a server refuses an update of a stored definition. */
async function messageOfChange(stored: string, changed: string, options: EvaluationOptions, engine: Engine): Promise<string> {
  const [from, to] = await Promise.all(
    [stored, changed].map(async (text) => {
      const { definitions } = await documentsOf([{ name: 'crd.yaml', bytes: Buffer.from(text) }], engine);
      return definitionText(definitions[0]!.slice, serverOf(options));
    }),
  );
  return (await judgeChange(engine, { from: from!, to: to!, options }))?.status?.message ?? '';
}
