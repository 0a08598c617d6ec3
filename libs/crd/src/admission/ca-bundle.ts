import type { Definition } from '../schema/definition.ts';

/** Why a CA bundle is none. */
export function caBundleError(bundle: string): string | undefined {
  const text = Buffer.from(bundle, 'base64').toString('latin1');
  return text.includes('-----BEGIN CERTIFICATE-----') && text.includes('-----END CERTIFICATE-----')
    ? undefined
    : 'unable to load root certificates: unable to parse bytes as PEM block';
}

/** Whether a definition's conversion webhook has a CA bundle that is none. */
export function hasInvalidCaBundle({ spec }: Definition): boolean {
  const bundle = spec.conversion?.webhook?.clientConfig?.caBundle;
  return bundle !== undefined && bundle !== '' && caBundleError(bundle) !== undefined;
}
