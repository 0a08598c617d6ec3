import { createServer } from 'node:net';
import { TakenJournal } from '#jobs';
import type { UnusableJournal } from '#jobs';
import type { ApiConfig } from './config.ts';

type Address = Pick<ApiConfig, 'host' | 'port' | 'tls'>;

/**
 * Returns the reason why the service cannot use its journal, with the settings to change. If the port is taken, too, the other process is
 * probably a service that was started in the same folder.
 */
export async function journalReason(address: Address, error: UnusableJournal): Promise<string> {
  if (!(error instanceof TakenJournal)) return `ASSAY_JOURNAL: ${error.message}`;
  if (await isTaken(address))
    return `${error.message}, and port ${address.port} is taken, too. It seems that another service of this folder runs at ${urlOf(address)}: use it, or set both PORT and ASSAY_JOURNAL`;
  return `${error.message}, such as another service of this folder. End that process, or set ASSAY_JOURNAL to another file`;
}

/** Returns the reason why the service cannot listen on its port, with the setting to change. `code` is the error code of the system. */
export function portReason({ host, port }: Address, code: string): string {
  if (code !== 'EADDRINUSE') return `port ${port} of ${host} cannot be listened on (${code})`;
  return `port ${port} of ${host} is taken by another process. Set PORT to another port`;
}

/** Resolves with true if another process listens on the port. */
function isTaken({ host, port }: Address): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'));
    server.listen(port, host, () => server.close(() => resolve(false)));
  });
}

/** Returns the URL at which a service with this address is reached from the same machine. */
function urlOf({ host, port, tls }: Address): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${tls === undefined ? 'http' : 'https'}://${name}:${port}`;
}
