import { base64Bytes, isCertificate, latin1Text } from '#go';
import type { Definition } from '../../schema/definition.ts';

const BLOCKS = /-----BEGIN CERTIFICATE-----\r?\n?([A-Za-z0-9+/=\t\r\n ]*)-----END CERTIFICATE-----/g;

/**
 * Why a CA bundle is none: without a PEM block of a certificate, or with one that holds none.
 * Source: k8s.io/apiserver/pkg/util/webhook `ValidateCABundle`, k8s.io/client-go/util/cert/pem.go (1.37). What Go finds wrong inside of a
 * certificate is told in the words for one that is no ASN.1 at all.
 */
export function caBundleError(bundle: string): string | undefined {
  const blocks = [...latin1Text(base64Bytes(bundle)).matchAll(BLOCKS)];
  if (blocks.length === 0) return 'unable to load root certificates: unable to parse bytes as PEM block';
  return blocks.every(([, body]) => isCertificate(base64Bytes(body as string)))
    ? undefined
    : 'unable to load root certificates: failed to parse certificate: x509: malformed certificate';
}

/** Whether a definition's conversion webhook has a CA bundle that is none. */
export function hasInvalidCaBundle({ spec }: Definition): boolean {
  const bundle = spec.conversion?.webhook?.clientConfig?.caBundle;
  return bundle !== undefined && bundle !== '' && caBundleError(bundle) !== undefined;
}
