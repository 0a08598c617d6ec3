import { basename, dirname, join } from 'node:path';
import { isThere } from '../files/file-access.ts';
import { isSuite } from '../suite/recognize-suite.ts';

/** Kind of a file that contains no objects, in words for messages. */
export type OtherFile = 'suite of tests' | 'input of kustomize' | 'part of a Helm chart' | 'template';

const KUSTOMIZATION = /^kustomization\.ya?ml$/;
/**
 * Pattern of an `apiVersion` that does not belong to kustomize. Another tool, such as Flux, may use a file with the name of a
 * kustomization.
 */
const OTHER_API_VERSION = /^apiVersion:\s*["']?(?!kustomize\.config\.k8s\.io)\S/m;
const CHART_FILE = /^(Chart\.ya?ml|values.*\.ya?ml|values\.schema\.json)$/;
/**
 * Pattern of the names of values files. A values file may belong to a chart in a different folder. A file with a `kind` or `apiVersion` is
 * not a values file.
 */
const VALUES_FILE = /^values.*\.ya?ml$/;
const KIND = /^(\{\s*)?["']?(apiVersion|kind)["']?\s*:/m;
/**
 * Pattern of a line that begins with a template expression. The YAML of an object has no such line, because inside a text the line would be
 * indented.
 */
const TEMPLATE_LINE = /^\{\{/m;

/**
 * Returns the kind of a file that the command skips because the file contains no objects, for example a part of a Helm chart. Returns
 * undefined if the command must evaluate the documents of the file.
 */
export function otherFile(file: string, bytes: Buffer): OtherFile | undefined {
  const name = basename(file);
  if (isSuite(file, bytes)) return 'suite of tests';
  if (KUSTOMIZATION.test(name) && !OTHER_API_VERSION.test(bytes.toString('utf8'))) return 'input of kustomize';
  if (CHART_FILE.test(name) && isChart(dirname(file))) return 'part of a Helm chart';
  if (VALUES_FILE.test(name) && !KIND.test(bytes.toString('utf8'))) return 'part of a Helm chart';
  if (!bytes.includes('{{')) return undefined;
  return isBelowTemplates(file) || TEMPLATE_LINE.test(bytes.toString('utf8')) ? 'template' : undefined;
}

const isChart = (folder: string): boolean => isThere(join(folder, 'Chart.yaml'));

function isBelowTemplates(file: string): boolean {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (basename(folder) === 'templates' && isChart(dirname(folder))) return true;
  return false;
}
