import type { ConnectionOptions } from 'node:tls';

/** Program that returns credentials, as configured in a kubeconfig. */
export interface CredentialProgram {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
}

/** Credentials of a client, in addition to its client certificate. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly token: string }
  /** File with a token. The file is read again from time to time, because its token may be replaced. */
  | { readonly kind: 'tokenFile'; readonly file: string }
  | { readonly kind: 'password'; readonly username: string; readonly password: string }
  | { readonly kind: 'program'; readonly program: CredentialProgram };

/** Address of an API server, the TLS settings that verify the server, and the credentials of the client. */
export interface ClusterAddress {
  /** Name of the cluster that is shown to the user: the name of a kubeconfig context, or `in-cluster`. */
  readonly name: string;
  readonly server: URL;
  readonly tls: Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'servername' | 'rejectUnauthorized'>;
  /** Proxy for connections to the server. If it is undefined, HTTPS_PROXY and NO_PROXY apply. */
  readonly proxy: string | undefined;
  readonly credentials: Credentials;
  /** Headers that request impersonation of another user. */
  readonly impersonation: Readonly<Record<string, string | string[]>>;
}
