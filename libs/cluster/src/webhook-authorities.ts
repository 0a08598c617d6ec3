import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import type { ApiWriter } from './api-writer.ts';
import { read, unread } from './reading.ts';
import type { Reading } from './reading.ts';

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
/** The most attempts of a write if others come before it: each pod of a webhook writes when it starts. */
const ATTEMPTS = 8;
/** Authorities of ours that stay: those of pods which are gone are not needed, and nobody says which those are. */
const MOST_OF_OURS = 16;

const configuration = z.object({
  metadata: z.object({ resourceVersion: z.string() }),
  webhooks: z.array(z.object({ clientConfig: z.object({ caBundle: z.string().default('') }) })).default([]),
});

/** An authority that the callers of a webhook shall trust. */
export interface WebhookAuthority {
  /** Name of the ValidatingWebhookConfiguration. */
  readonly configuration: string;
  /** PEM. */
  readonly authority: string;
  /** The beginning of the common name of all authorities that are made in the same way. */
  readonly namePrefix: string;
}

/**
 * Adds an authority to `caBundle` of all webhooks of a configuration. Removes expired authorities, and the oldest of ours beyond 16. Keeps the
 * others, since each pod of a webhook may have its own. Does not undo a write that came between.
 */
export async function addWebhookAuthority(writer: ApiWriter, { configuration: name, ...added }: WebhookAuthority): Promise<Reading<void>> {
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
    // With the version that was read, a server refuses what another write came before (409).
    const written = await writer.patch(path, [
      { op: 'replace', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
      ...bundles,
    ]);
    if (written.ok) return read(undefined);
    if (written.problem.kind !== 'conflict' || attempt === ATTEMPTS) return written;
  }
}

/** Returns a bundle with an authority at its end, and without what is of no use any more. */
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
  const ours = present.filter(({ isOurs }) => isOurs).slice(-(MOST_OF_OURS - 1));
  const others = present.filter(({ isOurs }) => !isOurs);
  return [...[...others, ...ours].map(({ pem }) => pem), authority.trim(), ''].join('\n');
}
