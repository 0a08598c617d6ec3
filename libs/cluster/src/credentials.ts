import { spawn } from 'node:child_process';
import { parsedJson, read, unread } from './reading.ts';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { ClusterAddress, CredentialProgram } from './address.ts';
import type { ClusterReading } from './reading.ts';

/** Parts of a request that identify the client to the server. */
export interface Identity {
  readonly headers: Readonly<Record<string, string>>;
  /** Client certificate in PEM. It is set only if a credential program returned one. */
  readonly tls: { readonly cert?: string; readonly key?: string };
  /** Time at which the identity must be renewed, in ms since the epoch; `Infinity` if it need not be renewed. */
  readonly until: number;
}

/** Time in ms for which a token from a file is reused. Source: client-go v0.37, transport/token_source.go. */
const TOKEN_FILE_MS = 60_000;
/** Maximum running time of a credential program in ms. It is long, because users may have to confirm a login elsewhere. */
const PROGRAM_MS = 120_000;

/**
 * Returns the headers or the certificate that identify a client with the credentials of an address. Reads tokens from files and runs
 * credential programs if necessary.
 */
export async function loadIdentity({ name, credentials }: ClusterAddress, signal?: AbortSignal): Promise<ClusterReading<Identity>> {
  switch (credentials.kind) {
    case 'none':
      return read({ headers: {}, tls: {}, until: Infinity });
    case 'token':
      return read(bearer(credentials.token, Infinity));
    case 'password': {
      const pair = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
      return read({ headers: { authorization: `Basic ${pair}` }, tls: {}, until: Infinity });
    }
    case 'tokenFile':
      try {
        return read(bearer((await readFile(credentials.file, 'utf8')).trim(), Date.now() + TOKEN_FILE_MS));
      } catch (error) {
        return unread('config', `${name}: the token ${credentials.file} cannot be read (${(error as NodeJS.ErrnoException).code ?? ''})`);
      }
    case 'program':
      return runProgram(credentials.program, name, signal);
  }
}

const bearer = (token: string, until: number): Identity => ({ headers: { authorization: `Bearer ${token}` }, tls: {}, until });

/** Schema of a credential program's output. Source: client-go v0.37, pkg/apis/clientauthentication/v1/types.go. */
const execCredential = z.object({
  kind: z.literal('ExecCredential'),
  status: z.object({
    token: z.string().optional(),
    clientCertificateData: z.string().optional(),
    clientKeyData: z.string().optional(),
    expirationTimestamp: z.string().optional(),
  }),
});

async function runProgram(
  { apiVersion, command, args, env }: CredentialProgram,
  name: string,
  signal: AbortSignal | undefined,
): Promise<ClusterReading<Identity>> {
  const info = JSON.stringify({ apiVersion, kind: 'ExecCredential', spec: { interactive: false } });
  const own = Object.fromEntries(env.map((variable) => [variable.name, variable.value]));
  const limit = AbortSignal.any([AbortSignal.timeout(PROGRAM_MS), ...(signal ? [signal] : [])]);
  const outcome = await new Promise<{ readonly stdout: string; readonly problem?: string }>((done) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...own, KUBERNETES_EXEC_INFO: info },
      stdio: ['ignore', 'pipe', 'inherit'],
      signal: limit,
    });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (stdout += part));
    child.on('error', (error) => done({ stdout, problem: error.message }));
    child.on('close', (code) => done(code === 0 ? { stdout } : { stdout, problem: `it ended with status ${code}` }));
  });
  if (outcome.problem !== undefined) return unread('config', `${name}: the program ${command} gave no credentials: ${outcome.problem}`);
  const parsed = execCredential.safeParse(parsedJson(outcome.stdout));
  if (!parsed.success) return unread('config', `${name}: the program ${command} gave no credentials: what it wrote is no ExecCredential`);
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = parsed.data.status;
  return read({
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    tls: { ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) },
    until: expirationTimestamp === undefined ? Infinity : Date.parse(expirationTimestamp),
  });
}
