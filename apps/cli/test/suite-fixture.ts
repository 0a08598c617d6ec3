import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Temporary folder that contains the given files. Paths are relative to the folder. The folder is removed when the object is disposed of.
 */
export class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'assay-cli-'));

  constructor(files: Readonly<Record<string, string>>) {
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  write(name: string, text: string): void {
    const file = this.file(name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  file(name: string): string {
    return join(this.path, name);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/**
 * Returns a definition in YAML whose field `size` is at most `maximum`. `annotations` contains the annotations of the definition in YAML.
 */
export const sizedDefinition = (maximum: number, annotations = '{}'): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com, annotations: ${annotations}}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: boxes, kind: Box}
  versions:
  - name: v1
    served: true
    storage: false
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          size: {type: integer, maximum: ${maximum}, default: 1}
          status: {type: object, properties: {full: {type: boolean}}}
  - name: v2
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object}}
`;

/** Returns a suite in YAML with one case: it creates a box of a given size, and expects that the server stores it as sent. */
export const sizeSuite = (size: number, head = ''): string => `name: Boxes
${head}
tests:
  onCreate:
    - name: size ${size}
      initial: |
        apiVersion: example.com/v1
        kind: Box
        size: ${size}
`;
