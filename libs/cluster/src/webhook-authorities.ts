import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import type { ApiWriter } from './api-writer.ts';
import { read, unread } from './reading.ts';
import type { ClusterReading } from './reading.ts';

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
/**
 * Maximum number of attempts to write an object that other clients change at the same time. Conflicts are frequent, because each pod of a
 * webhook writes when it starts.
 */
const ATTEMPTS = 8;
/**
 * Maximum number of authorities with the prefix `namePrefix` that are kept. Authorities of deleted pods are no longer needed, but cannot be
 * distinguished from authorities of running pods.
 */
const MAX_OWN_AUTHORITIES = 16;

const configuration = z.object({
  metadata: z.object({ resourceVersion: z.string() }),
  webhooks: z.array(z.object({ clientConfig: z.object({ caBundle: z.string().default('') }) })).default([]),
});

/** Certificate authority that callers of a webhook must trust. */
export interface WebhookAuthority {
  /** Name of the ValidatingWebhookConfiguration. */
  readonly configuration: string;
  /** Certificate of the authority in PEM. */
  readonly authority: string;
  /** Prefix of the common name by which a webhook recognizes the authorities of all its pods. */
  readonly namePrefix: string;
}

/**
 * Adds the certificate of a certificate authority to `caBundle` of all webhooks in a webhook configuration.
 *
 * Removes expired certificates. Of the certificates whose names begin with `namePrefix`, keeps only the newest 16. Several are kept,
 * because each pod of a webhook may have its own authority. Never overwrites a change that another client makes between the read and the
 * write.
 */
export async function addWebhookAuthority(
  writer: ApiWriter,
  { configuration: name, ...added }: WebhookAuthority,
): Promise<ClusterReading<void>> {
  const path = `${CONFIGURATIONS}/${encodeURIComponent(name)}`;
  for (let attempt = 1; ; attempt++) {
    const answer = await writer.get(path);
    if (!answer.ok) return answer;
    const parsed = configuration.safeParse(JSON.parse(answer.value.toString()));
    if (!parsed.success || parsed.data.webhooks.length === 0) return unread('failed', `${path}: there is no webhook in it`);
    const { metadata, webhooks } = parsed.data;
    const bundles = webhooks.map(({ clientConfig }, i) => ({
      op: 'add' as const,
      path: `/webhooks/${i}/clientConfig/caBundle`,
      value: Buffer.from(bundleWith(Buffer.from(clientConfig.caBundle, 'base64').toString(), added)).toString('base64'),
    }));
    // The patch contains the resource version. So a server rejects the patch (409) if another write came first.
    const written = await writer.patch(path, [
      { op: 'replace', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
      ...bundles,
    ]);
    if (written.ok) return read(undefined);
    if (written.problem.kind !== 'conflict' || attempt === ATTEMPTS) return written;
  }
}

/**
 * Returns a CA bundle in PEM with the authority appended. Removes expired and unreadable certificates. Of the certificates whose subject
 * begins with `CN=` and `namePrefix`, keeps only the newest 16.
 */
export function bundleWith(bundle: string, { authority, namePrefix }: Omit<WebhookAuthority, 'configuration'>, now = Date.now()): string {
  const present = (bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).flatMap((pem) => {
    try {
      const certificate = new X509Certificate(pem);
      const isOurs = certificate.subject.startsWith(`CN=${namePrefix}`);
      return certificate.validToDate.getTime() < now ? [] : [{ pem, isOurs }];
    } catch {
      return [];
    }
  });
  const ours = present.filter(({ isOurs }) => isOurs).slice(-(MAX_OWN_AUTHORITIES - 1));
  const others = present.filter(({ isOurs }) => !isOurs);
  return [...[...others, ...ours].map(({ pem }) => pem), authority.trim(), ''].join('\n');
}
