import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { parseSecrets } from '#jobs';
import { LEVELS } from '#runner/flow';
import { METRICS } from '../health/watching.ts';
import { readNamedFile } from '../settings/setting.ts';

/**
 * Roles of a client. `evaluate`: starts evaluations and reads its own evaluations. `benchmark`: starts studies of rules and reads its own
 * studies. `operate`: reads and cancels the evaluations and studies of all clients. `scrape`: reads metrics.
 */
export const ROLES = ['evaluate', 'benchmark', 'operate', 'scrape'] as const;

/** Role of a client, one of {@link ROLES}. */
export type Role = (typeof ROLES)[number];

/** Roles of a client whose key or token lists no roles. */
export const DEFAULT_ROLES: readonly Role[] = ['evaluate'];

/**
 * Returns the roles that may use a route. A client needs only one role from this list. `route` is the route pattern of the router, never
 * the raw path of the request.
 */
export function rolesFor(route: string | undefined, method: string): readonly Role[] {
  if (route === METRICS) return ['scrape'];
  if (/^\/benchmarks(?:\/|$)/.test(route ?? '')) return method === 'POST' ? ['benchmark'] : ['benchmark', 'operate'];
  return /^\/evaluations(?:\/|$)/.test(route ?? '') ? ['evaluate', 'operate'] : ['evaluate'];
}

const count = z.number().int().min(1);

const accessKey = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'must be 1 to 63 letters, digits, ".", "_" or "-", and begin with a letter or digit')
    .describe('Name of the client, which owns its evaluations'),
  sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, 'must be the SHA-256 digest of the token, 64 hexadecimal digits')
    .transform((hex) => Buffer.from(hex, 'hex')),
  expires: z.iso.datetime({ offset: true }).optional().describe('End of its validity, RFC 3339; default never'),
  roles: z
    .array(z.enum(ROLES))
    .min(1)
    .optional()
    .describe(
      'evaluate: begin evaluations and read its own; benchmark: the same for studies of rules; operate: read and cancel those of all; scrape: /metrics. Default evaluate',
    ),
  flow: z.string().min(1).max(63).optional().describe('Flow, which is scheduled as a unit; default the name'),
  requestsPerSecond: z.number().positive().max(1e6).optional().describe('Maximum rate of requests; default unlimited'),
  burst: count.max(1e6).optional().describe('Requests that may come at once; default one second of requests, at least 1'),
  maxItems: count.optional().describe('Objects a request'),
  maxBodyBytes: z.number().int().min(1024).optional().describe('Bytes of a body, except for NDJSON'),
  maxStreamBytes: z.number().int().min(1024).optional().describe('Bytes of an NDJSON body'),
  level: z.enum(LEVELS).optional().describe('Priority level of its flow; default normal'),
  weight: count.max(100).optional().describe('Share of its flow among the flows of the level; default 1'),
  maxEvaluations: count.optional().describe('Unfinished evaluations of its flow'),
  maxQueuedChunks: count.optional().describe('Waiting chunks of its flow; above this number, evaluations are refused'),
  maxQueuedBytes: z.number().int().min(1024).optional().describe('Bytes of waiting chunks of its flow'),
  maxResultBytes: z.number().int().min(1024).optional().describe('Bytes of stored results of its flow'),
  maxDefinitionBytes: z.number().int().min(1024).optional().describe('Bytes of definitions of its flow that an API process stores'),
  maxEvaluationCost: count.optional().describe('CEL cost units an evaluation'),
  benchmarkMinutes: z
    .number()
    .min(0)
    .max(24 * 60 * 256)
    .optional()
    .describe('Minutes of thread time for its studies each day'),
  allowUnlimited: z.boolean().optional().describe("Permit cost limits above the server's"),
});

/**
 * Access key of a client: name of the holder, digest of the token, roles and limits. If a limit is absent, the setting of the service
 * applies.
 */
export type AccessKey = z.infer<typeof accessKey>;

/** Names of the settings of an access key that belong to its flow. All keys of one flow must have the same values for these settings. */
const FLOW_SETTINGS = [
  'level',
  'weight',
  'maxEvaluations',
  'maxQueuedChunks',
  'maxQueuedBytes',
  'maxResultBytes',
  'maxDefinitionBytes',
] as const;

function sharingOf(key: AccessKey | undefined): string {
  return JSON.stringify(FLOW_SETTINGS.map((setting) => key?.[setting]));
}

const accessKeys = z
  .array(accessKey)
  .min(1, 'must hold at least one key')
  .superRefine((keys, context) => {
    const names = new Set<string>();
    const digests = new Set<string>();
    const flows = new Map<string, string>();
    for (const [i, { name, sha256, requestsPerSecond, burst }] of keys.entries()) {
      const digest = sha256.toString('hex');
      if (names.has(name)) context.addIssue({ code: 'custom', path: [i, 'name'], message: 'names an earlier key' });
      if (digests.has(digest)) context.addIssue({ code: 'custom', path: [i, 'sha256'], message: "is an earlier key's" });
      if (burst !== undefined && requestsPerSecond === undefined)
        context.addIssue({ code: 'custom', path: [i, 'burst'], message: 'needs requestsPerSecond' });
      const flow = keys[i]?.flow ?? name;
      const sharing = sharingOf(keys[i]);
      if ((flows.get(flow) ?? sharing) !== sharing)
        context.addIssue({
          code: 'custom',
          path: [i, 'flow'],
          message: `is an earlier key's: ${FLOW_SETTINGS.join(', ')} must be the same`,
        });
      flows.set(flow, sharing);
      names.add(name);
      digests.add(digest);
    }
  });

/**
 * Reads the list of access keys from a YAML or JSON file. Throws an error that describes each problem and its location. The error never
 * contains a value of the file, because the value may be a token.
 */
export function readAccessKeys(file: string): readonly AccessKey[] {
  const result = accessKeys.safeParse(parsed(file));
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `ASSAY_KEYS_FILE: ${placeOf(path)}: ${message}`);
  throw new Error(problems.join('\n'));
}

function parsed(file: string): unknown {
  const parsing = parseSecrets(readNamedFile('ASSAY_KEYS_FILE', file).toString());
  if (parsing.ok) return parsing.value;
  const line = parsing.line === undefined ? '' : ` (line ${parsing.line})`;
  throw new Error(`ASSAY_KEYS_FILE: ${file} is neither YAML nor JSON${line}`);
}

function placeOf(path: readonly PropertyKey[]): string {
  const [index, ...rest] = path;
  return index === undefined ? 'the list of keys' : ['keys', `[${String(index)}]`, ...rest.map((part) => `.${String(part)}`)].join('');
}

/**
 * Returns the token of `Authorization: Bearer …`, or of `x-api-key` if there is no `Authorization` header; undefined if there is no token
 * or more than one.
 */
export function presentedToken(headers: IncomingHttpHeaders): string | undefined {
  if (headers.authorization !== undefined) return /^Bearer +(?<token>[^\s]+) *$/i.exec(headers.authorization)?.groups?.['token'];
  const key = headers['x-api-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
}

/**
 * Returns the access key that belongs to a token; undefined if there is none. Compares the digest with every key in constant time, so that
 * the duration of the answer reveals nothing about the list.
 */
export function findKey<K extends { readonly sha256: Uint8Array }>(keys: readonly K[], token: string): K | undefined {
  const digest = createHash('sha256').update(token).digest();
  let found: K | undefined;
  for (const key of keys) if (timingSafeEqual(digest, key.sha256)) found = key;
  return found;
}
