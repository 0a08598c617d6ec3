import { describe, expect, it } from 'vitest';
import { helpPages } from '../src/options/read-arguments.ts';
import { UsageError } from '../src/usage.ts';
import { AssayProcess } from './assay-process.ts';
import { readCommand } from './read-command.ts';

const read = (line: string) => readCommand(line.split(' ').filter((word) => word !== ''));

describe('the command line', () => {
  it.each([
    ['evaluate -f a.yaml b --explain', { name: 'evaluate', paths: ['a.yaml', 'b'], output: 'text', options: { explain: true } }],
    ['evaluate -f a -f b -o json', { name: 'evaluate', paths: ['a', 'b'], output: 'json' }],
    ['matrix a --field-validation Warn', { name: 'matrix', paths: ['a'], options: { fieldValidation: 'Warn' } }],
    ['evaluate a -k 1.31', { name: 'evaluate', paths: ['a'], options: { kubernetesVersion: '1.31' } }],
    ['evaluate a -k v1.33', { options: { kubernetesVersion: '1.33' } }],
    ['evaluate a -k 1.33.2', { options: { kubernetesVersion: '1.33', fieldValidation: 'Strict' } }],
    ['evaluate a -k v1.38.0-beta.0', { options: { kubernetesVersion: '1.38' } }],
    ['what-if --from o --to n -k 1.38+ objects', { name: 'what-if', options: { kubernetesVersion: '1.38' } }],
    ['upgrade-check --to-version 1.38', { name: 'upgrade-check', toVersion: '1.38', cluster: { ownMinor: true }, paths: [] }],
    ['upgrade-check dump -k 1.36 --to-version 1.38', { name: 'upgrade-check', cluster: undefined, paths: ['dump'] }],
    ['guard --insecure-http --minors 1.30,1.38', { name: 'guard', settings: { limits: { minors: ['1.30', '1.38'] } } }],
    ['explain a -k v1.33.2-gke.100', { options: { kubernetesVersion: '1.33', fieldValidation: 'Strict' } }],
    [
      'evaluate a -o sarif -q --fail-on warning,rejected',
      { output: 'sarif', quiet: true, failOn: ['warning', 'rejected'], strictKinds: false },
    ],
    ['evaluate a --field-validation warn --base HEAD~1', { base: 'HEAD~1', options: { fieldValidation: 'Warn' } }],
    ['explain --feature-gates CRDValidationRatcheting=false -k 1.30 -', { name: 'explain', paths: ['-'] }],
    ['what-if --from o --to n objects', { name: 'what-if', from: 'o', to: 'n', paths: ['objects'] }],
    ['load http://127.0.0.1:8080 -f a --rate 50', { name: 'load', url: 'http://127.0.0.1:8080', pace: { kind: 'open', rate: 50 } }],
    ['load https://localhost/assay/ a b --batch 5', { url: 'https://localhost/assay', paths: ['a', 'b'], batch: 5, durationMs: 10_000 }],
    ['load http://[::1]:80 a', { url: 'http://[::1]', pace: { kind: 'closed', connections: 10 } }],
    ['load http://127.9.9.9 a --connections 3 --duration 1m', { pace: { kind: 'closed', connections: 3 }, durationMs: 60_000 }],
    ['load http://assay.example.com a --yes --worst', { url: 'http://assay.example.com', worstBudgetMs: 10_000 }],
    [
      'load --cluster a b',
      { name: 'load', paths: ['a', 'b'], rate: 20, durationMs: 30_000, stopAtMs: 5000, isAllowed: false, cluster: { ownMinor: true } },
    ],
    ['load --cluster --context x a --rate 5 --worst --yes', { rate: 5, worstBudgetMs: 10_000, isAllowed: true, cluster: { context: 'x' } }],
    ['load --cluster a -o html', { output: 'html' }],
    ['load --cluster a --temporary-definitions -o html', { kind: 'ruleCosts', output: 'html', isLoadAllowed: false }],
    ['load --cluster a --temporary-definitions --yes', { isAllowedElsewhere: false, isLoadAllowed: true }],
    ['bench a --server https://assay.example.com/x/', { name: 'bench', server: 'https://assay.example.com/x', goProgram: undefined }],
    ['bench a', { name: 'bench', server: undefined, budgetMs: 30_000 }],
    ['test a -w -o junit', { name: 'test', paths: ['a'], output: 'junit', watch: true }],
  ])('reads `%s`', (line, command) => {
    expect(read(line)).toMatchObject(command);
  });

  it.each([
    ['', /assay evaluate crds\/ objects\//],
    ['--version', /^\d+\.\d+\.\d+\n$/],
    ['--help', /evaluate/],
    ['help', /evaluate/],
    ['evaluate --help', /--return-objects/],
    ['test -h', /--watch/],
  ])('%j prints help or the version', (line, text) => {
    expect(read(line)).toMatchObject({ kind: 'help', text: expect.stringMatching(text) as string });
  });

  it.each([
    // `matrix` compares all versions, so it has no option `-k`.
    ['matrix a -k 1.31', /unknown option '-k'/],
    ['matrix a --watch', /unknown option '--watch'/],
    ['explain a --return-objects', /unknown option '--return-objects'/],
    ['evaluate a --from b', /unknown option '--from'/],
    ['test a -o yaml', /argument 'yaml' is invalid/],
    ['eval 1 --schema a -o junit', /argument 'junit' is invalid/],
    ['evaluate a --fail-on all', /must be among rejected/],
    ['evaluate a --base', /argument missing/],
    ['what-if --from o a', /'--to <new>' not specified/],
    ['evaluate', /evaluate needs files/],
    ['evaluate a -k 1.29', /must be a version of Kubernetes from 1\.30 to 1\.\d+/],
    ['evaluate a -k v2', /must be a version/],
    ['evaluate a --field-validation Lax', /must be one of Strict/],
    ['evaluate a --feature-gates X', /feature-gates/],
    ['load http://assay.example.com a', /assay\.example\.com is not this machine: .* --yes/],
    ['load http://127.0.0.1.example.com a', /is not this machine/],
    ['load http://0.0.0.0:8080 a', /is not this machine/],
    ['load localhost:8080 a', /must be an address such as/],
    ['load', /needs the address of a deployment, such as \S+, or --cluster/],
    ['load http://127.0.0.1:8080 a --cluster', /--cluster and the address \S+ do not go together/],
    ['load --cluster', /load --cluster needs files/],
    ['load http://127.0.0.1:8080 a --context x', /go with --cluster/],
    ['load http://127.0.0.1:8080 a --stop-at 1s', /--stop-at goes with --cluster/],
    ['load --cluster a --connections 3', /--connections does not go with --cluster/],
    ['load --cluster a --rate 1001', /at most 1000 writes a second/],
    ['load --cluster a --duration 11m', /at most 10m/],
    ['load http://localhost a -o html', /-o html shows measurements of --cluster: choose text, json or yaml/],
    ['load --cluster --clean-up -o html', /-o html shows measurements of --cluster/],
    ['load http://me:secret@localhost a', /without a user/],
    ['load http://localhost', /load URL needs files/],
    ['load http://localhost a --rate 5 --connections 5', /do not go together/],
    ['load http://localhost a --rate 0', /must be a number from 1/],
    ['judge a', /unknown command 'judge'/],
  ])('%s is a usage error', (line, message) => {
    expect(() => read(line)).toThrow(UsageError);
    expect(() => read(line)).toThrow(message);
  });

  it.each([
    ['eval', ['eval', '--nonsense']],
    ['explain', ['explain', '/no/such/file']],
    ['completion', ['completion', 'sh']],
    ['', ['judge']],
    ['', ['--nonsense']],
  ])('names in its error the help of the command, or else the general help: %j', async (name, argv) => {
    const assay = new AssayProcess(argv);
    expect(await assay.ended).toBe(2);
    expect(assay.stderr).toMatch(new RegExp(`\nSee assay ${name === '' ? '' : `${name} `}--help\\.\n$`));
  });

  const commands = helpPages().flatMap(({ name }) => (name === 'assay' ? [] : [name]));
  it.each(commands)('%s lists its options in the error about an unknown option, and its operands in the error about too many', (name) => {
    const required =
      { eval: '--schema a ', ceiling: '--field a ', 'what-if': '--to a ', 'upgrade-check': '--to-version 1.36 ' }[name] ?? '';
    expect(() => read(`${name} ${required}--nonsense`)).toThrow(new RegExp(`unknown option '--nonsense'\nOptions of ${name}: .*--help`));
    expect(read(`help ${name}`)).toMatchObject({ kind: 'help', text: expect.stringContaining(`assay ${name}`) as string });
    // The other commands accept any number of paths.
    const operands = { init: 'a', completion: 'bash a', guard: 'a', eval: '1 --schema a b' }[name];
    if (operands !== undefined)
      expect(() => read(`${name} ${operands}`)).toThrow(new RegExp(`too many arguments.*\nOperands of ${name}: `));
  });

  it.each(['judge', 'help judge', '--nonsense'])('lists all commands in the error about `%s`', (line) => {
    expect(() => read(line)).toThrow(new RegExp(`\nCommands: ${commands.join(', ')}`));
  });
});
