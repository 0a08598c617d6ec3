import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineThreads } from '#runner';
import { ofObject, ofPolicy } from '../../apps/cli/test/messages/message-case.ts';
import { featureGateTable } from './feature-gates.ts';
import { changedTexts, formsOfMessage, versionsInWords } from './text-forms.ts';
import { upstreamLink } from './upstream-link.ts';
import { declaredChanges } from './version-changes.ts';

// A second thread would load the engine again, which takes longer than the work.
const engine = new EngineThreads({ threads: 1 });
beforeAll(() => engine.start());
afterAll(() => engine.stop());

const words = (message: string) => ({ message, meaning: '', remedy: '' });
const LENGTHS = 'type: object\nproperties: {a: {type: string, maxLength: 1}}';

describe('the forms that a message has in different Kubernetes versions', () => {
  it('come with the versions whose servers return them', async () => {
    const forms = await formsOfMessage(ofObject(LENGTHS, 'spec: {a: bc}', words('may not be more than 1 byte')), engine);
    expect(forms.map(({ text, minors }) => [versionsInWords(minors), text])).toEqual([
      ['1.30 to 1.31', 'may not be longer than 1'],
      ['1.32 to 1.33', 'may not be more than 1 bytes'],
      ['1.34 to 1.38', 'may not be more than 1 byte'],
    ]);
  });

  it('exclude versions whose servers accept the case', async () => {
    const one = ofObject('type: object\nproperties: {a: {type: integer, format: int32}}', 'spec: {a: 2147483648}', words('Checked value'));
    expect((await formsOfMessage(one, engine)).map(({ minors }) => versionsInWords(minors))).toEqual(['1.36 to 1.38']);
  });

  it('are a single form if all versions return the same text', async () => {
    const forms = await formsOfMessage(ofPolicy('- expression: 1 > 2', words('failed expression: 1 > 2')), engine);
    expect(forms.map(({ text, minors }) => [versionsInWords(minors), text])).toEqual([['1.30 to 1.38', 'failed expression: 1 > 2']]);
  });

  it('are at least two for each difference in the lists of differences', async () => {
    const texts = await changedTexts(engine);
    expect(texts.filter(({ forms }) => forms.length < 2)).toEqual([]);
    expect(texts.length).toBeGreaterThan(20);
  });
});

describe('the listed changes of a Kubernetes version', () => {
  it('include functions that new rules can use since this version', () => {
    expect(declaredChanges('1.33', '1.34').functions).toContain('`isSemver`');
    expect(declaredChanges('1.32', '1.33').functions).not.toContain('`isSemver`');
    expect(declaredChanges('1.34', '1.35').functions).not.toContain('@');
  });

  it('include changed functions, and removed signatures', () => {
    expect(declaredChanges('1.36', '1.37')).toMatchObject({ changed: '`flatten`, `indexOf`, `lastIndexOf`', removed: '`duration`' });
  });

  it('include feature gates that are on by default', () => {
    expect(declaredChanges('1.35', '1.36').gates).toBe('`CRDObservedGenerationTracking`, `MutatingAdmissionPolicy`');
    expect(declaredChanges('1.36', '1.37').gates).toBe('');
  });

  it('include formats one version after the version that declares them', () => {
    expect(declaredChanges('1.34', '1.35').formats).toBe('`k8slongname`, `k8sshortname`');
    expect(declaredChanges('1.33', '1.34').formats).toBe('');
  });
});

describe('the reference to an upstream change', () => {
  it.each([
    ['cel-go#1350', '[cel-go#1350](https://github.com/cel-expr/cel-go/pull/1350)'],
    ['kubernetes#1', '[kubernetes#1](https://github.com/kubernetes/kubernetes/pull/1)'],
    ['cel-go v0.33.2 a/b.go', '`cel-go v0.33.2 a/b.go`'],
  ])('%s is a link to %s', (upstream, shown) => expect(upstreamLink(upstream)).toBe(shown));

  it('is an error if the repository is unknown', () =>
    expect(() => upstreamLink('unknown#1')).toThrow('the owner of the repository of unknown#1 is not known'));
});

it('feature gates get the versions of their stages (alpha, beta, stable)', () => {
  const rows = featureGateTable().split('\n');
  expect(rows).toContainEqual(expect.stringContaining('| `CRDValidationRatcheting` | since 1.30 | since 1.33, gone since 1.38 |'));
  expect(rows).toContainEqual(expect.stringContaining('| `MutatingAdmissionPolicy` | since 1.36, known since 1.32 |  |'));
});
