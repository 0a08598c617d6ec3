import { closeSync, openSync } from 'node:fs';
import { basename, join, parse, resolve } from 'node:path';
import { SERVER_TIMES } from '#http-server';
import { DEFAULT_QUEUE_LIMITS, readContentKeys } from '#jobs';
import { redisAddressOf } from '#jobs/redis';
import type { RedisAddress } from '#jobs/redis';
import { readAccessKeys } from './access/access-keys.ts';
import type { AuditSettings } from './audit/audit-log.ts';
import type { TokenIssuer } from './access/issuer-keys.ts';
import { processNumber } from './processes/serving-process.ts';
import { readNamedFile, readSettings } from './settings/setting.ts';
import type { SettingValues } from './settings/setting.ts';
import { SETTINGS } from './settings/table.ts';
import { readTls } from './tls.ts';

/**
 * Time in ms between the SIGTERM signal and the close of a worker, in which open requests may finish. The time is short because a worker
 * has no requests to wait for.
 */
const WORKER_DRAIN_MS = 500;

/** Configuration of the API. */
export type ApiConfig = ReturnType<typeof readApiConfig>;

/** Injection token of {@link ApiConfig}. */
export const API_CONFIG = Symbol('ApiConfig');

type Read = SettingValues<typeof SETTINGS>;

/** Reads the configuration from the environment and the files that it names. Throws an error that names the offending variable. */
export function readApiConfig(variables: NodeJS.ProcessEnv = process.env) {
  const { redisUrl, redisFiles, contentKeysFile, ...read } = readSettings(SETTINGS, variables);
  const redis = redisOf(redisUrl, redisFiles, read.role);
  if (read.admissionFile !== undefined) readNamedFile('ASSAY_ADMISSION_FILE', read.admissionFile);
  return {
    ...read,
    redis,
    processes: processesOf(read, redis),
    contentKeys: readContentKeys(contentKeysFile),
    serverTimes: { ...SERVER_TIMES, ...read.serverTimes },
    drainMs: read.role === 'worker' ? WORKER_DRAIN_MS : read.drainMs,
    queueLimits: { ...DEFAULT_QUEUE_LIMITS, ...read.queueLimits },
    issuer: issuerOf(read.issuer),
    certificateIdentities: certificateIdentities(read.certificateIdentities, read.tlsFiles),
    keys: read.keysFile === undefined ? undefined : readAccessKeys(read.keysFile),
    audit: auditSettings(read),
    pageFolder: pageFolderOf(read.pageFolder),
    tls: readTls(read.tlsFiles),
  } as const;
}

/** Returns the address of Redis; undefined if no Redis is configured. Throws if the role is `worker` and no Redis is configured. */
function redisOf(url: string | undefined, files: Read['redisFiles'], role: Read['role']): RedisAddress | undefined {
  // Compose files pass an unset variable as an empty text.
  if (url !== undefined && url !== '') return redisAddressOf(url, files);
  if (role === 'worker') throw new Error('ASSAY_REDIS_URL: a worker takes chunks from Redis: set it, such as redis://127.0.0.1:6379');
  return undefined;
}

/**
 * Returns the number of serving processes. Throws if the configuration permits only one process, or if several processes would write audit
 * lines into the same output.
 */
function processesOf({ processes, audit }: Pick<Read, 'processes' | 'audit'>, redis: RedisAddress | undefined): number {
  if (processes === 1) return 1;
  if (redis === undefined)
    throw new Error(
      `ASSAY_API_PROCESSES: ${processes} processes need ASSAY_REDIS_URL: without it the queue and its journal are one process's`,
    );
  if (audit.level === 'request' && audit.file === '-')
    throw new Error(`ASSAY_API_PROCESSES: ${processes} processes cannot write whole requests to one output; ASSAY_AUDIT_FILE names a file`);
  return processes;
}

/** Returns the settings of the audit log. Throws if the audit file cannot be written. */
function auditSettings({ audit, processes }: Pick<Read, 'processes' | 'audit'>): AuditSettings {
  // If there are several processes, their supervisor writes no audit log. It only checks whether the first process can write its file.
  const number = processNumber() ?? (processes > 1 ? 1 : undefined);
  const file = number === undefined || audit.file === '-' ? audit.file : numbered(audit.file, number);
  if (audit.level !== 'none' && file !== '-') {
    try {
      closeSync(openSync(file, 'a', 0o600));
    } catch (error) {
      throw new Error(`ASSAY_AUDIT_FILE: ${file} cannot be written`, { cause: error });
    }
  }
  return { ...audit, file };
}

/** Returns the path of the audit file for one of several processes, such as `audit-2.log`. Each process rotates its own file. */
function numbered(file: string, number: number): string {
  const { dir, name, ext } = parse(file);
  return join(dir, `${name}-${number}${ext}`);
}

/**
 * Returns the folder of the web page; undefined if the setting is empty. The default folder is in `dist`, whether the service runs from
 * sources or from built files.
 */
function pageFolderOf(folder: string | undefined): string | undefined {
  if (folder !== undefined) return folder === '' ? undefined : resolve(folder);
  const above = join(import.meta.dirname, '../../..');
  return join(above, basename(above) === 'dist' ? 'page' : 'dist/page');
}

function issuerOf({ issuer, audience, keySetUrl }: Read['issuer']): TokenIssuer | undefined {
  if (issuer === undefined && audience === undefined && keySetUrl === undefined) return undefined;
  if (issuer === undefined || audience === undefined)
    throw new Error('ASSAY_JWT_ISSUER and ASSAY_JWT_AUDIENCE go together; one is missing');
  return { issuer, audience, keySetUrl };
}

function certificateIdentities(wanted: boolean, { clientCa }: Read['tlsFiles']): boolean {
  if (wanted && clientCa === undefined) throw new Error('ASSAY_TLS_CLIENT_NAMES needs ASSAY_TLS_CLIENT_CA_FILE');
  return wanted;
}
