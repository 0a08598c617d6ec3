import { isIP } from 'node:net';
import { Option } from 'commander';
import { EFFECTS } from '#documents';
import type { Effect } from '#documents';
import type { Minor } from '#kube';
import { clusterOf, withClusterChoice, collected, optionsOf, withServer } from '../../options/shared-options.ts';
import type { Values } from '../../options/shared-options.ts';
import { minorsOf, portOf, shareOf, parserOfWords } from '../../options/option-values.ts';
import { UsageError } from '../../usage.ts';
import type { Command } from '../command.ts';
import type { GuardAddress } from './guard-server.ts';
import { GUARD_MODES } from './guard-settings.ts';
import type { GuardMode } from './guard-settings.ts';
import type { GuardArguments } from './run.ts';

const DEFAULT_BREAKING: readonly Effect[] = ['brokenOnUpdate', 'breaksOnNextChange'];

interface GuardValues extends Omit<Values, 'output'> {
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly selfMadeCertificate?: string;
  readonly injectInto?: string;
  readonly insecureHttp?: boolean;
  readonly definitions?: readonly string[];
  readonly host: string;
  readonly port: number;
  readonly mode: GuardMode;
  readonly whenLate: 'allow' | 'deny';
  readonly minors: readonly Minor[];
  readonly costShare: number;
  readonly breaking: readonly Effect[];
}

/** The command `assay guard`. */
export const guardCommand: Command<GuardArguments> = {
  name: 'guard',
  help: 'run an admission webhook that refuses definitions and policies if they break stored objects, cost too much, or if other Kubernetes versions refuse them',
  options: (parser, understand) =>
    void withServer(withClusterChoice(parser))
      .option('--tls-cert <file>', 'certificate of the webhook (PEM); after a change, the guard reads it again')
      .option('--tls-key <file>', 'private key of the certificate (PEM)')
      .option(
        '--self-made-certificate <names>',
        'create and renew a certificate for DNS names or addresses, separated by commas, instead of --tls-cert',
      )
      .option(
        '--inject-into <name>',
        'write the authority of this certificate into this ValidatingWebhookConfiguration (default: print the authority)',
      )
      .option('--definitions <path>', 'files or a folder of definitions and policies by which /admission/objects judges objects', collected)
      .option('--insecure-http', 'serve plain HTTP, behind a proxy with TLS')
      .option('--host <address>', 'the address on which the guard listens', '0.0.0.0')
      .addOption(new Option('--port <number>', 'the port on which the guard listens').argParser(portOf).default(8443))
      .addOption(
        new Option('--mode <mode>', 'the answer to a bad change, if no annotation chooses a mode')
          .choices([...GUARD_MODES])
          .default('deny'),
      )
      .addOption(
        new Option('--when-late <word>', 'the answer to a change if its evaluation takes too long')
          .choices(['allow', 'deny'])
          .default('allow'),
      )
      .addOption(
        new Option('--minors <versions>', 'Kubernetes versions that must accept a definition or a policy, separated by commas')
          .argParser(minorsOf)
          .default([], 'none'),
      )
      .addOption(
        new Option('--cost-share <number>', "maximum cost of rules as a share of the server's limit, from 0 to 1")
          .argParser(shareOf)
          .default(1),
      )
      .addOption(
        new Option('--breaking <effects>', `effects that are not allowed for stored objects, separated by commas, of ${EFFECTS.join(', ')}`)
          .argParser(parserOfWords(EFFECTS))
          .default(DEFAULT_BREAKING, DEFAULT_BREAKING.join(',')),
      )
      .action((values: GuardValues) => understand(guardOf(values))),
  run: async (parsed, context) => (await import('./run.ts')).runGuard(parsed, context),
};

function guardOf(values: GuardValues): GuardArguments {
  const { host, port, minors, costShare, breaking } = values;
  const given = { ...values, output: 'text', cluster: true };
  return {
    cluster: clusterOf(given) ?? { ownMinor: true },
    options: optionsOf(given),
    address: { host, port, certificate: certificateOf(values) },
    definitions: values.definitions ?? [],
    settings: { limits: { minors, costShare, breaking }, mode: values.mode, whenLate: values.whenLate },
  };
}

function certificateOf({
  tlsCert: cert,
  tlsKey: key,
  selfMadeCertificate,
  injectInto,
  insecureHttp = false,
}: GuardValues): GuardAddress['certificate'] {
  const names = selfMadeCertificate?.split(',').map((name) => name.trim()) ?? [];
  const odd = names.find((name) => isIP(name) === 0 && !/^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name));
  if (odd !== undefined) throw new UsageError(`--self-made-certificate: ${JSON.stringify(odd)} is neither a DNS name nor an address`);
  if (injectInto !== undefined && names.length === 0) throw new UsageError('--inject-into goes with --self-made-certificate');
  const files = cert !== undefined && key !== undefined ? { kind: 'files' as const, cert, key } : undefined;
  const selfMade = names.length > 0 ? { kind: 'selfMade' as const, names, injectInto } : undefined;
  if ([files !== undefined, selfMade !== undefined, insecureHttp].filter(Boolean).length !== 1)
    throw new UsageError('guard needs --tls-cert and --tls-key, or --self-made-certificate, or else --insecure-http');
  return files ?? selfMade;
}
