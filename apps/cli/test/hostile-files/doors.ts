import { createHash } from 'node:crypto';
import { customDefinition } from '../../../../testing/custom-definition.ts';

/** Place in a repository whose file a command opens, because a settings file, a suite, an archive or a folder names it. */
export interface Door {
  /** Name of the door: who names the file. */
  readonly name: string;
  /** Path of the file, relative to the repository. */
  readonly path: string;
  /** Other files of the repository. */
  readonly files: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
  /** True if a folder may be at the path: the command then looks into it, or leaves it out. */
  readonly mayBeFolder?: boolean;
  /** True if the command reads only the beginning of the file, so that a large file is no problem. */
  readonly mayBeLarge?: boolean;
}

const DEFINITION = JSON.stringify(customDefinition({ kind: 'Widget', schema: { type: 'object' } }));
const WIDGET = JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one', namespace: 'a' } });
const READ = { 'crd.yaml': DEFINITION, 'widget.json': WIDGET };
/** Repository with an object in `o`, whose definition is looked up in `lib`. */
const LOOKED_UP = { 'o/widget.json': WIDGET, '.assay.yaml': 'crds: lib\n' };
const LAYOUT = { ...LOOKED_UP, 'lib/oci-layout': '{}' };

const blobOf = (content: unknown): { readonly path: string; readonly text: string; readonly digest: string } => {
  const text = JSON.stringify(content);
  const hex = createHash('sha256').update(text).digest('hex');
  return { path: `lib/blobs/sha256/${hex}`, text, digest: `sha256:${hex}` };
};
const layer = blobOf('a chart');
const manifest = blobOf({ layers: [{ mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip', digest: layer.digest }] });
const index = JSON.stringify({ manifests: [{ digest: manifest.digest }] });

const suite = (more: string): string =>
  `name: x\n${more}\ntests:\n  onCreate:\n  - name: a\n    initial: |\n      apiVersion: example.com/v1\n      kind: Widget\n`;
const policySuite = (more: string): string =>
  `name: x\n${more}\ncases:\n- {name: a, object: {apiVersion: v1, kind: ConfigMap}, expect: allowed}\n`;
const kyverno = (more: Readonly<Record<string, unknown>>): Record<string, string> => ({
  'kyverno-test.yaml': JSON.stringify({
    apiVersion: 'cli.kyverno.io/v1alpha1',
    kind: 'Test',
    metadata: { name: 'k' },
    policies: ['p.yaml'],
    resources: ['r.yaml'],
    results: [{ policy: 'p', rule: 'r', resources: ['one'], kind: 'Widget', result: 'pass' }],
    ...more,
  }),
  'p.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: q}\n',
  'r.yaml': WIDGET,
});
const gated = JSON.parse(DEFINITION) as { metadata: object };
gated.metadata = { ...gated.metadata, annotations: { 'include.release.openshift.io/self-managed': 'true' } };

/** All doors through which the content of a repository names files. */
export const DOORS: readonly Door[] = [
  { name: 'the settings file', path: '.assay.yaml', files: READ, argv: ['evaluate', '.'] },
  { name: 'the settings file, for another command', path: '.assay.yaml', files: READ, argv: ['test', '.'] },
  { name: 'a .gitignore file', path: '.gitignore', files: READ, argv: ['evaluate', '.'] },
  { name: 'a .gitignore file below', path: 'a/.gitignore', files: { ...READ, 'a/widget.json': WIDGET }, argv: ['evaluate', '.'] },
  {
    name: 'a .gitignore file above',
    path: '.gitignore',
    files: { 'a/widget.json': WIDGET, 'a/crd.yaml': DEFINITION },
    argv: ['evaluate', 'a'],
  },
  { name: 'a path of the settings', path: 'x.yaml', files: { '.assay.yaml': 'paths: [x.yaml]' }, argv: ['evaluate'], mayBeFolder: true },
  {
    name: 'a pattern of the settings',
    path: 'x.yaml',
    files: { '.assay.yaml': 'paths: ["*.yaml"]' },
    argv: ['evaluate'],
    mayBeFolder: true,
  },
  {
    name: 'braces of the settings',
    path: 'x.yaml',
    files: { '.assay.yaml': 'paths: ["{x,y}.yaml"]' },
    argv: ['explain'],
    mayBeFolder: true,
  },
  {
    name: 'a path of the settings, for matrix',
    path: 'x.yaml',
    files: { '.assay.yaml': 'paths: [x.yaml]' },
    argv: ['matrix'],
    mayBeFolder: true,
  },
  {
    name: 'a path of the settings, for test',
    path: 'x.yaml',
    files: { '.assay.yaml': 'paths: [x.yaml]' },
    argv: ['test'],
    mayBeFolder: true,
  },
  {
    name: 'the catalogue of the settings',
    path: 'lib',
    files: { 'widget.json': WIDGET, '.assay.yaml': 'crds: lib' },
    argv: ['evaluate', 'widget.json'],
    mayBeFolder: true,
  },
  { name: 'a file of a folder', path: 'x.yaml', files: READ, argv: ['evaluate', '.'], mayBeFolder: true },
  {
    name: 'a file of a catalogue, by its name',
    path: 'lib/example.com_widgets.yaml',
    files: LOOKED_UP,
    argv: ['evaluate', 'o'],
    mayBeFolder: true,
  },
  {
    name: 'a file of a catalogue, by its beginning',
    path: 'lib/x.yaml',
    files: LOOKED_UP,
    argv: ['evaluate', 'o'],
    mayBeFolder: true,
    mayBeLarge: true,
  },
  { name: 'a packed chart', path: 'lib/x.tgz', files: LOOKED_UP, argv: ['evaluate', 'o'], mayBeFolder: true },
  {
    name: 'the mark of an OCI layout',
    path: 'lib/oci-layout',
    files: { ...LOOKED_UP, 'lib/index.json': index },
    argv: ['matrix', 'o'],
    mayBeFolder: true,
    mayBeLarge: true,
  },
  { name: 'the index of an OCI layout', path: 'lib/index.json', files: LAYOUT, argv: ['evaluate', 'o'] },
  { name: 'a manifest of an OCI layout', path: manifest.path, files: { ...LAYOUT, 'lib/index.json': index }, argv: ['evaluate', 'o'] },
  {
    name: 'a layer of an OCI layout',
    path: layer.path,
    files: { ...LAYOUT, 'lib/index.json': index, [manifest.path]: manifest.text },
    argv: ['evaluate', 'o'],
  },
  { name: 'a suite', path: 'x.suite.yaml', files: READ, argv: ['test', '.'], mayBeFolder: true },
  { name: 'the definition of a suite', path: 'd.yaml', files: { 'x.suite.yaml': suite('crd: d.yaml') }, argv: ['test', '.'] },
  { name: 'the folder of a suite', path: 'd.yaml', files: { 'x.suite.yaml': suite('') }, argv: ['test', '.'], mayBeFolder: true },
  {
    name: 'the generated definitions of a suite',
    path: 'zz_generated.crd-manifests/d.yaml',
    files: { 'tests/w/x.yaml': suite('crdName: widgets.example.com') },
    argv: ['test', '.'],
    mayBeFolder: true,
  },
  {
    name: 'the gates of a suite',
    path: 'payload-manifests/featuregates/g.yaml',
    files: { 'x.suite.yaml': suite('featureGates: [A]\ncrd: crd.yaml'), 'crd.yaml': JSON.stringify(gated) },
    argv: ['test', '.'],
  },
  { name: 'the policies of a suite', path: 'p.yaml', files: { 'x.suite.yaml': policySuite('policies: [p.yaml]') }, argv: ['test', '.'] },
  {
    name: 'the cluster of a suite',
    path: 'c.yaml',
    files: { 'x.suite.yaml': policySuite('policies: [p.yaml]\ncluster: [c.yaml]'), 'p.yaml': '' },
    argv: ['test', '.'],
  },
  ...(['policies', 'resources', 'clusterResources', 'paramResources'] as const).map((list) => ({
    name: `${list} of a kyverno test`,
    path: 'x.yaml',
    files: kyverno({ [list]: ['x.yaml'] }),
    argv: ['test', '.'],
  })),
  ...(['variables', 'userinfo'] as const).map((one) => ({
    name: `${one} of a kyverno test`,
    path: 'x.yaml',
    files: kyverno({ [one]: 'x.yaml' }),
    argv: ['test', '.'],
  })),
];
