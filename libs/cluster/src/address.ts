import type { ConnectionOptions } from 'node:tls';

/** A program that gives credentials, as a kubeconfig names it. */
export interface CredentialProgram {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
}

/** The credentials of a client, beside its certificate. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly token: string }
  /** A file that is read again, since its token is replaced. */
  | { readonly kind: 'tokenFile'; readonly file: string }
  | { readonly kind: 'password'; readonly username: string; readonly password: string }
  | { readonly kind: 'program'; readonly program: CredentialProgram };

/** The address of an API server, with the facts by which it is trusted, and the credentials for it. */
export interface ClusterAddress {
  /** The name for the user: that of a context, or `in-cluster`. */
  readonly name: string;
  readonly server: URL;
  readonly tls: Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'servername' | 'rejectUnauthorized'>;
  /** The proxy that the server is reached by; undefined: HTTPS_PROXY and NO_PROXY decide. */
  readonly proxy: string | undefined;
  readonly credentials: Credentials;
  /** Headers that ask to be taken for somebody else. */
  readonly impersonation: Readonly<Record<string, string | string[]>>;
}
