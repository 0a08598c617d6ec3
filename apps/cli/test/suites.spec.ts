import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkOptions } from '#documents';
import { EngineHost } from '#runner';
import { loadSuites } from '../src/suite/load-suite.ts';
import { runSuite } from '../src/suite/run-suite.ts';
import { UsageError } from '../src/usage.ts';
import { Folder, sizeSuite, sizedDefinition } from './suite-fixture.ts';

const host = new EngineHost({ threads: 1 });
beforeAll(() => host.start());
afterAll(() => host.stop());

/** Runs the suites in some files. Returns `ok` for each case that passed, or the reason why the case failed. */
async function outcomes(files: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  using folder = new Folder(files);
  const options = checkOptions({});
  if (!options.ok) throw new Error(options.status.message);
  const found: Record<string, string> = {};
  for (const suite of await loadSuites([folder.path], host))
    for await (const { name, problem = 'ok' } of runSuite(suite, options.value, host)) found[name] = problem;
  return found;
}

/** Returns the error message that a user gets if suites with these files are loaded. */
async function complaint(files: Readonly<Record<string, string>>): Promise<string> {
  using folder = new Folder(files);
  try {
    await loadSuites([folder.path], host);
  } catch (error) {
    if (error instanceof UsageError) return error.message.replaceAll(`${folder.path}/`, '').replaceAll(folder.path, '');
    throw error;
  }
  throw new Error('nothing to complain about');
}

const suite = (cases: string, head = ''): string => `name: Boxes\n${head}\ntests:\n${cases}`;
const box = (rest: string): string => `|\n        apiVersion: example.com/v1\n        kind: Box\n        ${rest}\n`;

describe('suites in the format of openshift/api', () => {
  it('expect the sent object to be stored, unless they state another object', async () => {
    const cases = `  onCreate:
    - name: as sent
      initial: ${box('size: 2')}
    - name: with a default
      initial: ${box('')}
    - name: with the default named
      initial: ${box('')}
      expected: ${box('size: 1')}
    - name: refused
      initial: ${box('size: 9')}
      expectedError: should be less than or equal to 3
`;
    expect(await outcomes({ 'crd.yaml': sizedDefinition(3), 'suite.yaml': suite(cases) })).toEqual({
      'onCreate: as sent': 'ok',
      'onCreate: with a default': 'the stored object differs at size: not expected, stored 1',
      'onCreate: with the default named': 'ok',
      'onCreate: refused': 'ok',
    });
  });

  it('write a status through /status, and expect the errors of either write', async () => {
    const cases = `  onUpdate:
    - name: full
      initial: ${box('size: 2')}
      updated: ${box('size: 3\n        status: {full: true}')}
    - name: a status of the wrong type
      initial: ${box('size: 2')}
      updated: ${box('size: 3\n        status: {full: 1}')}
      expectedStatusError: 'full in body must be of type boolean'
    - name: an initial status of the wrong type
      initial: ${box('size: 2\n        status: {full: 1}')}
      updated: ${box('size: 3')}
    - name: no status at all
      initial: ${box('size: 2')}
      updated: ${box('size: 3')}
      expectedStatusError: nothing
`;
    const found = await outcomes({ 'crd.yaml': sizedDefinition(3), 'suite.yaml': suite(cases) });
    expect(found).toMatchObject({
      'onUpdate: full': 'ok',
      'onUpdate: a status of the wrong type': 'ok',
      'onUpdate: no status at all': 'expectedStatusError, but the updated object has no status',
    });
    expect(found['onUpdate: an initial status of the wrong type']).toMatch(/^the status of the initial object is refused: .*status\.full/);
  });

  it('apply a patch to the definition under which the initial object is created', async () => {
    const patched = (op: string): string => `  onUpdate:
    - name: stored under a looser definition
      initialCRDPatches:
        - {op: ${op}, path: /spec/versions/0/schema/openAPIV3Schema/properties/size/maximum, value: 99}
      initial: ${box('size: 50')}
      updated: ${box('size: 50\n        status: {full: true}')}
`;
    const files = (op: string) => ({ 'crd.yaml': sizedDefinition(3), 'suite.yaml': suite(patched(op)) });
    expect(Object.values(await outcomes(files('replace')))).toEqual(['ok']);
    expect(Object.values(await outcomes(files('rename')))[0]).toMatch(/^initialCRDPatches: .*rename is not known/);
  });

  it('install only the version under test', async () => {
    const files = { 'crd.yaml': sizedDefinition(3), 'suite.yaml': sizeSuite(2, 'version: v1') };
    expect(await outcomes(files)).toEqual({ 'onCreate: size 2': 'ok' });
    expect(Object.values(await outcomes({ ...files, 'suite.yaml': sizeSuite(2, 'version: v3') }))).toEqual([
      'the definition has no version "v3"',
    ]);
    expect(Object.values(await outcomes({ ...files, 'suite.yaml': sizeSuite(2, 'version: v2') }))[0]).toMatch(/^refused: /);
  });

  it('run with each variant of the definition that has the named feature gates', async () => {
    const profile = 'include.release.openshift.io/self-managed-high-availability';
    const variant = (maximum: number, set: string) =>
      sizedDefinition(maximum, `{${profile}: "true", release.openshift.io/feature-set: "${set}"}`);
    const manifest = (set: string, on: string, off: string) =>
      `metadata: {annotations: {${profile}: "false-exclude", release.openshift.io/feature-set: "${set}"}}\n` +
      `status: {featureGates: [{version: v, enabled: [${on}], disabled: [${off}]}]}\n`;
    const files = {
      'payload-manifests/featuregates/a.yaml': manifest('Default', '', '{name: Big}'),
      'payload-manifests/featuregates/b.yaml': manifest('TechPreviewNoUpgrade', '{name: Big}', ''),
      'boxes/v1/zz_generated.crd-manifests/boxes-Custom.yaml': variant(9, 'CustomNoUpgrade'),
      'boxes/v1/zz_generated.crd-manifests/boxes-Default.yaml': variant(3, 'Default'),
      'boxes/v1/zz_generated.crd-manifests/boxes-TechPreview.yaml': variant(8, 'TechPreviewNoUpgrade'),
    };
    const gated = (gates: string, size: number) => ({
      ...files,
      'boxes/v1/tests/boxes.example.com/Big.yaml': sizeSuite(size, `crdName: boxes.example.com\nfeatureGates: [${gates}]`),
    });
    expect(await outcomes(gated('Big', 7))).toEqual({
      'onCreate: size 7 [boxes-Custom.yaml]': 'ok',
      'onCreate: size 7 [boxes-TechPreview.yaml]': 'ok',
    });
    expect(await outcomes(gated('-Big', 3))).toEqual({ 'onCreate: size 3': 'ok' });
    expect(Object.keys(await outcomes(gated('', 3)))).toHaveLength(3);
    expect(await complaint(gated('Small', 3))).toMatch(/no manifest .* says whether Small is on in .*boxes-Default\.yaml$/);
  });
});

describe('a case that cannot be tested is reported', () => {
  it.each([
    ['an empty folder', {}, /^no suites were found in {2}\(files named …suite\.yaml or kyverno-test\.yaml\)/],
    ['broken YAML', { 'suite.yaml': 'name: [a' }, /^suite\.yaml: yaml: line 1: /],
    [
      'no suite',
      { 'suite.yaml': 'name: a\ntests: {onCreate: [{name: b, expect: c}]}' },
      /^suite\.yaml: not a suite: tests\.onCreate\.0\.initial: /,
    ],
    ['no case', { 'suite.yaml': 'name: a\ntests: {}' }, /^suite\.yaml: not a suite: tests: holds no case$/],
    ['no definition', { 'suite.yaml': sizeSuite(1) }, /^suite\.yaml: no CustomResourceDefinition in its folder$/],
    [
      'another definition',
      { 'suite.yaml': sizeSuite(1, 'crdName: bags.example.com'), 'crd.yaml': sizedDefinition(1) },
      /^suite\.yaml: no CustomResourceDefinition bags\.example\.com in its folder; there: boxes\.example\.com$/,
    ],
    [
      'a definition that cannot be read',
      { 'suite.yaml': sizeSuite(1), 'crd.yaml': 'kind: [' },
      /^suite\.yaml: no CustomResourceDefinition in its folder; not readable: crd\.yaml: yaml: line 1: /,
    ],
    ['a file that is not there', { 'suite.yaml': sizeSuite(1, 'crd: nope.yaml') }, /nope\.yaml: no such file/],
    [
      'several definitions',
      { 'suite.yaml': sizeSuite(1), 'a.yaml': sizedDefinition(1), 'b.yaml': sizedDefinition(1).replace('boxes.', 'bags.') },
      /several CustomResourceDefinitions fit \(boxes\.example\.com, bags\.example\.com\); name one by crdName$/,
    ],
  ])('with a reason: %s', async (_, files, expected) => {
    expect(await complaint(files)).toMatch(expected);
  });
});
