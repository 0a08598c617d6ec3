import { addWebhookAuthority, ApiWriter } from '#cluster';
import type { Cluster } from '#cluster';
import { minorWords } from '#kube';
import { escapedInQuotes } from '#report';
import { judgeReviewedObject } from '#service';
import type { ReviewAnswer, ReviewOutcome } from '#service';
import type { EvaluationOptions } from '#documents';
import { documentsOf, envelopeOf } from '../../documents/read-documents.ts';
import { readInputs } from '../../documents/read-inputs.ts';
import { GuardServer } from './guard-server.ts';
import type { CertificateChoice, GuardAddress, JudgeObject } from './guard-server.ts';
import { openCluster, valueOf } from '../../cluster/read-cluster.ts';
import type { ClusterOption } from '../../cluster/read-cluster.ts';
import { reportOnStderr } from '../../report/print.ts';
import { EXIT } from '../../usage.ts';
import { AUTHORITY_NAME } from './certificate/issue-certificate.ts';
import { FileCertificate, LIFETIME_MS, SelfMadeCertificate, SPREAD_MS } from './certificate/serving-certificate.ts';
import type { ServingCertificate } from './certificate/serving-certificate.ts';
import { Guard } from './guard.ts';
import type { RunContext } from '../command.ts';
import type { GuardSettings } from './guard-settings.ts';

/** Parsed arguments of `assay guard`, which runs a webhook that checks changes of definitions and policies. */
export interface GuardArguments {
  readonly cluster: ClusterOption;
  readonly options: EvaluationOptions;
  readonly address: GuardAddress;
  readonly settings: GuardSettings;
  /** Files with definitions and policies. The guard also validates objects against them, so that no separate webhook is needed. */
  readonly definitions: readonly string[];
}

/**
 * Runs `assay guard`: a validating webhook that checks what effects a change would have on the cluster. Resolves with the exit status when
 * the process receives a termination signal.
 */
export async function runGuard(command: GuardArguments, { engine, reportProblem }: RunContext): Promise<number> {
  const { cluster: option, options: given, address, settings, definitions } = command;
  const documents = await documentsOf(await readInputs(definitions, reportProblem), engine);
  const { cluster, options } = await openCluster(option, given);
  try {
    const guard = new Guard(cluster, engine, options, settings);
    const judgeObject: JudgeObject | undefined =
      definitions.length === 0
        ? undefined
        : async (review, deadline) =>
            answerOf(await judgeReviewedObject(engine, envelopeOf(documents, options), review, deadline), settings.whenLate);
    const log = (line: string): void => void process.stdout.write(`${escapedInQuotes(line)}\n`);
    const server = new GuardServer({ guard, judgeObject }, await certificateOf(address.certificate, cluster, log), log);
    const port = await server.listen(address);
    reportOnStderr(`guards ${cluster.name} as ${minorWords(options.kubernetesVersion)} on ${address.host}:${port}`);
    await new Promise((done) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, done);
    });
    await server.close();
    return EXIT.ok;
  } finally {
    cluster.close();
  }
}

/** Returns the answer to an AdmissionReview. If there is no verdict on the object, the setting `unjudged` decides. */
function answerOf(outcome: ReviewOutcome, unjudged: 'allow' | 'deny'): ReviewAnswer {
  if (outcome.kind === 'judged') return outcome.answer;
  const sentence = `assay guard: the object was not judged: ${outcome.why}`;
  return unjudged === 'allow' ? { allowed: true, warnings: [sentence] } : { allowed: false, message: sentence };
}

/**
 * Returns the chosen certificate; undefined if none is chosen. Throws {@link UsageError} if the certificate cannot be used, or if its
 * authority cannot be published.
 */
async function certificateOf(
  choice: CertificateChoice | undefined,
  cluster: Cluster,
  log: (line: string) => void,
): Promise<ServingCertificate | undefined> {
  if (choice?.kind !== 'selfMade') return choice && new FileCertificate(choice, reportOnStderr);
  const { names, injectInto } = choice;
  const trust = async (authority: string): Promise<void> => {
    if (injectInto === undefined) {
      log(JSON.stringify({ time: new Date().toISOString(), caBundle: Buffer.from(authority).toString('base64') }));
      return;
    }
    const writer = new ApiWriter(cluster.address);
    const written = await addWebhookAuthority(writer, { configuration: injectInto, authority, namePrefix: AUTHORITY_NAME });
    writer.close();
    valueOf(written);
    reportOnStderr(`${injectInto} trusts the certificate`);
  };
  return SelfMadeCertificate.start({ names, lifetimeMs: LIFETIME_MS, spreadMs: SPREAD_MS, trust, report: reportOnStderr });
}
