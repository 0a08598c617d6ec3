import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readApiConfig } from '../config.ts';
import { readSettings, settingsIn } from './setting.ts';
import type { SettingTable } from './setting.ts';
import { OTHER_VARIABLES, SETTINGS } from './table.ts';
import { unknownSettings } from './unknown-settings.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const DECLARED = settingsIn(SETTINGS);
const VARIABLES = [...DECLARED.map(({ variable }) => variable), ...Object.keys(OTHER_VARIABLES)];

/** Returns the texts of the files below a folder whose paths match `matching` and do not match `without`. */
function textsIn(folder: string, matching: RegExp, without = /^$/): readonly { readonly file: string; readonly text: string }[] {
  return readdirSync(join(ROOT, folder), { recursive: folder !== '.', encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((file) => matching.test(file) && !without.test(file))
    .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));
}

const SOURCES = ['apps', 'libs'].flatMap((folder) =>
  textsIn(folder, /\/src\/.*\.ts$/, /\.spec\.ts$|\/(?:test|testing|generated)\/|\/api\/src\/settings\//),
);

/** Returns the names of variables of Assay and of OpenTelemetry in a text. */
const namedIn = (text: string): readonly string[] => text.match(/\b(?:ASSAY|OTEL)_[A-Z0-9_]+\b/g) ?? [];

describe('the table of settings', () => {
  it('declares each variable once', () => {
    expect(VARIABLES.filter((variable, i) => VARIABLES.indexOf(variable) < i)).toEqual([]);
  });

  it('contains all variables that the code mentions', () => {
    const undeclared = SOURCES.flatMap(({ file, text }) => namedIn(text).map((name) => `${file}: ${name}`));
    expect(undeclared.filter((found) => !VARIABLES.includes(found.replace(/.*: /, '')))).toEqual([]);
  });

  it('contains no key and no variable that the code does not read', () => {
    const words = new Set(SOURCES.flatMap(({ text }) => text.match(/\w+/g) ?? []));
    const keysOf = (table: SettingTable): string[] =>
      Object.entries(table).flatMap(([key, entry]) => ('variable' in entry ? [key] : [key, ...keysOf(entry)]));
    expect([...keysOf(SETTINGS), ...Object.keys(OTHER_VARIABLES)].filter((name) => !words.has(name))).toEqual([]);
  });

  it.each([
    // Leaves out the guide for new settings, which mentions a setting that does not exist.
    [
      'documents',
      textsIn('docs', /\.md$/, /\/add-a-setting\.md$/),
      ['BIND', 'LIVE_KUBECONFIG', 'ORACLE', 'RECORD_ANSWERS', 'SHOW_HOSTILE', 'TARBALL', 'THOROUGH'],
    ],
    ['deployments', [...textsIn('k8s', /\.(?:yaml|tpl)$/), ...textsIn('.', /^(?:docker-compose.*\.yml|Dockerfile)$/)], ['BIND']],
  ] as const)('declares all variables that the %s name, except those for tests and builds', (_, texts, others) => {
    const names = new Set(texts.flatMap(({ text }) => namedIn(text)));
    expect([...names].filter((name) => !VARIABLES.includes(name)).sort()).toEqual(others.map((name) => `ASSAY_${name}`));
  });

  it('has the defaults that documents and deployments state in parentheses', () => {
    const texts = [...textsIn('docs', /reference\/limits\.md$/), ...textsIn('k8s', /\.yaml$/)];
    const stated = texts.flatMap(({ text }) => [...text.matchAll(/\b(ASSAY_\w+)`? \((\d[^)]*|no [^)]*|number [^)]*)\)/g)]);
    expect(stated.length).toBeGreaterThan(30);
    const wrong = stated.filter(([, variable, words = '']) => {
      const declared = DECLARED.find((setting) => setting.variable === variable)?.default.text ?? '';
      const value = words.replace(/ by default$| ms$/, '').replaceAll(',', '');
      return !new RegExp(`\\b${value}\\b`).test(declared.replaceAll(',', ''));
    });
    expect(wrong.map(([found]) => found)).toEqual([]);
  });
});

describe('an invalid value of a setting', () => {
  it.each([
    [{ ASSAY_THREADS: 'many' }, 'ASSAY_THREADS: must be a whole number from 1 to 256, not "many"'],
    [{ ASSAY_THREAD_HEAP_MB: '1' }, 'ASSAY_THREAD_HEAP_MB: must be a whole number of MB from 16 to 16384, not "1"'],
    [{ ASSAY_DRAIN_MS: '-1' }, 'ASSAY_DRAIN_MS: must be a whole number of milliseconds from 0, not "-1"'],
    [{ ASSAY_MAX_ITEMS: '1.5' }, 'ASSAY_MAX_ITEMS: must be a whole number from 1, not "1.5"'],
    [{ ASSAY_BENCHMARK_MINUTES: 'x' }, 'ASSAY_BENCHMARK_MINUTES: must be a number of minutes from 0, not "x"'],
    [{ ASSAY_METRICS_OPEN: 'maybe' }, 'ASSAY_METRICS_OPEN: must be true or false, not "maybe"'],
    [{ ASSAY_ROLE: 'wroker' }, 'ASSAY_ROLE: must be node, api or worker, not "wroker"'],
    [{ ASSAY_AUDIT_FILE: '' }, 'ASSAY_AUDIT_FILE: must be a path that is not empty, not ""'],
    [{ ASSAY_JWT_ISSUER: 'me' }, 'ASSAY_JWT_ISSUER: must be a URL, not "me"'],
    [{ ASSAY_TRACE_PAGE: 'ftp://a' }, 'ASSAY_TRACE_PAGE: must be a URL of http or https, not "ftp://a"'],
    // The defaults of other settings depend on ASSAY_MAX_BODY_BYTES, and must not repeat its error.
    [
      { ASSAY_MAX_BODY_BYTES: '1', PORT: '65536' },
      'PORT: must be a whole number from 0 to 65535, not "65536"\nASSAY_MAX_BODY_BYTES: must be a whole number of bytes from 1024, not "1"',
    ],
  ])('%j gives an error with the variable, the value and the allowed values', (variables, message) => {
    expect(() => readApiConfig(variables)).toThrow(new Error(message));
  });

  it('does not appear in the error if the setting is secret', () => {
    const secret = { ...SETTINGS.threads, isSecret: true };
    expect(() => readSettings({ secret }, { ASSAY_THREADS: 'word' })).toThrow(/^ASSAY_THREADS: must be a whole number from 1 to 256$/);
  });
});

describe('defaults of settings', () => {
  const MIB = 1024 ** 2;
  it('may depend on the values of other settings', () => {
    const limits = { ASSAY_MAX_BODY_BYTES: String(512 * MIB), ASSAY_FLOW_BYTES: '4096' };
    const { bodyBytes, flowBodyBytes, queueLimits, flowLimits } = readApiConfig(limits);
    expect([bodyBytes, flowBodyBytes, queueLimits.waitingBytes, flowLimits.bytes]).toEqual([2048 * MIB, 1024 * MIB, 2048 * MIB, 4096]);
    expect(readApiConfig({}).queueLimits.waitingBytes).toBe(256 * MIB);
  });

  it('include a port that depends on the role of the process', () => {
    expect([readApiConfig({}).port, readApiConfig({ ASSAY_ROLE: 'worker', ASSAY_REDIS_URL: 'redis://a' }).port]).toEqual([8080, 8081]);
  });

  it('have a description', () => {
    expect(DECLARED.filter(({ default: { text } }) => text === '')).toEqual([]);
  });
});

describe('a variable that is not a setting', () => {
  const warned = (name: string, value = ''): string | undefined => unknownSettings({ [name]: value })[0];

  it.each([
    ['ASSAY_THREAD', 'ASSAY_THREADS'],
    ['ASSAY_MAX_BODY', 'ASSAY_MAX_BODY_BYTES'],
    ['ASSAY_REDIS', 'ASSAY_REDIS_URL'],
    ['ASSAY_PORT', 'PORT'],
    ['ASSAY_AUDIT_LEVLE', 'ASSAY_AUDIT_LEVEL'],
  ])('%s gives a warning that suggests %s', (name, similar) => {
    expect(warned(name)).toBe(`${name} is not a setting, and has no effect. Did you mean ${similar}?`);
  });

  it('gives a warning without a suggestion if no setting is similar', () => {
    expect(warned('ASSAY_COLOUR')).toBe('ASSAY_COLOUR is not a setting, and has no effect');
  });

  it('gives no warning if another program reads the variable, or if Kubernetes sets it for a Service', () => {
    expect(unknownSettings({ ...Object.fromEntries(VARIABLES.map((name) => [name, ''])), PATH: '', OTEL_X: '' })).toEqual([]);
    const links = {
      ASSAY_SERVICE_HOST: '10.0.0.1',
      ASSAY_SERVICE_PORT: '80',
      ASSAY_SERVICE_PORT_HTTP: '80',
      ASSAY_PORT: 'tcp://10.0.0.1:80',
      ASSAY_PORT_80_TCP: 'tcp://10.0.0.1:80',
      ASSAY_PORT_80_TCP_PROTO: 'tcp',
      ASSAY_REDIS_PORT: 'tcp://10.0.0.2:6379',
      ASSAY_REDIS_PORT_6379_TCP_ADDR: '10.0.0.2',
    };
    expect(unknownSettings(links)).toEqual([]);
  });
});
