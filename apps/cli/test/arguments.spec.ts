import { describe, expect, it } from 'vitest';
import { readArguments } from '../src/read-arguments.ts';
import { UsageError } from '../src/usage.ts';

const read = (line: string) => readArguments(line.split(' ').filter((word) => word !== ''));

describe('the command line', () => {
  it.each([
    ['evaluate -f a.yaml b --explain', { name: 'evaluate', paths: ['a.yaml', 'b'], output: 'text', options: { explain: true } }],
    ['evaluate -f a -f b -o json', { name: 'evaluate', paths: ['a', 'b'], output: 'json' }],
    ['matrix a -k 1.31', { name: 'matrix', paths: ['a'], options: { kubernetesVersion: '1.31' } }],
    ['explain --feature-gates CRDValidationRatcheting=false -k 1.30 -', { name: 'explain', paths: ['-'] }],
    ['what-if --from o --to n objects', { name: 'what-if', from: 'o', to: 'n', paths: ['objects'] }],
    ['test a -w -o junit', { name: 'test', paths: ['a'], output: 'junit', watch: true }],
  ])('%s', (line, command) => {
    expect(read(line)).toMatchObject(command);
  });

  it.each([
    ['', /assay COMMAND/],
    ['--help', /evaluate/],
    ['help', /evaluate/],
    ['evaluate --help', /--return-objects/],
    ['test -h', /--watch/],
  ])('%j asks for help', (line, text) => {
    expect(read(line)).toMatchObject({ name: 'help', text: expect.stringMatching(text) as string });
  });

  it.each([
    ['matrix a --watch', /unknown option '--watch'/],
    ['explain a --return-objects', /unknown option '--return-objects'/],
    ['evaluate a --from b', /unknown option '--from'/],
    ['test a -o yaml', /argument 'yaml' is invalid/],
    ['evaluate a -o junit', /argument 'junit' is invalid/],
    ['what-if --from o a', /'--to <new>' not specified/],
    ['evaluate', /evaluate needs files/],
    ['evaluate a -k 1.29', /kubernetesVersion/],
    ['evaluate a --field-validation Lax', /fieldValidation/],
    ['evaluate a --feature-gates X', /feature-gates/],
    ['judge a', /unknown command 'judge'/],
  ])('%s is wrong usage', (line, message) => {
    expect(() => read(line)).toThrow(UsageError);
    expect(() => read(line)).toThrow(message);
  });
});
