import type { FastifyInstance } from 'fastify';
import type { Server } from 'node:https';
import type { Log } from '#telemetry';
import type { ApiConfig } from '../config.ts';
import { readTls } from '../tls.ts';
import type { KeyRing } from './key-ring.ts';
import { reloadOnChange } from './reload-on-change.ts';

/**
 * Reloads access keys and TLS certificates if their files change, or on SIGHUP. The service does not restart, and no connection is closed.
 */
export function reloadSecrets(fastify: FastifyInstance, { keysFile, tlsFiles, reloadMs }: SecretFiles, keys: KeyRing, log: Log): void {
  const stops: (() => void)[] = [];
  const watch = (files: readonly string[], what: string, reload: () => void): void => {
    const unreadable = (error: unknown): void => log.error({ err: error }, `${what} stay as they were: their files cannot be read`);
    stops.push(reloadOnChange(files, { reload, unreadable }, reloadMs));
  };
  if (keysFile !== undefined) watch([keysFile], 'the access keys', () => keys.reload());
  const certificates = Object.values(tlsFiles).filter((file): file is string => file !== undefined);
  const reloadTls = (): void => {
    try {
      const options = readTls(tlsFiles);
      if (options) (fastify.server as unknown as Server).setSecureContext(options);
      log.info({}, 'certificates were read again');
    } catch (error) {
      log.error({ err: error }, 'the certificates stay as they were: their files are not right');
    }
  };
  if (certificates.length > 0) watch(certificates, 'the certificates', reloadTls);
  fastify.addHook('onClose', (_, done) => {
    for (const stop of stops) stop();
    done();
  });
}

type SecretFiles = Pick<ApiConfig, 'keysFile' | 'tlsFiles' | 'reloadMs'>;
