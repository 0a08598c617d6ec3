import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { billOfMaterials } from './bill-of-materials.ts';
import { dependencyFiles } from './dependency-files.ts';
import { fileAt, folderFiles, textFile } from './folder-files.ts';
import { type ImageArchive, archiveImage } from './image-archive.ts';
import { HOME, IMAGE_SETTINGS } from './image-settings.ts';
import { digestOf, packLayer } from './layer.ts';
import { runtimeFiles } from './runtime-files.ts';

/** Architecture names of images, by Node's names. */
const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Path of the list of all parts in the image. */
export const BILL_PATH = `${HOME}/sbom.cdx.json`;

/** The folders of the compiled project that the service runs from. */
export const PROJECT_FOLDERS = ['packages', 'dist/libs', 'dist/apps', 'dist/page', 'dist/package'];

/**
 * Builds the image of the service from the compiled project below `root`, for the architecture of the building machine. Rarely changing
 * layers come first: runtime, dependencies, service. Needs no container engine, no network and no privileges.
 */
export async function buildImage(root: string, reference: string): Promise<ImageArchive> {
  const architecture = ARCHITECTURES[process.arch];
  if (process.platform !== 'linux' || architecture === undefined)
    throw new Error(
      `the runtime of an image comes from the machine it is built on, and ${process.platform} on ${process.arch} is none that it could run on`,
    );
  const runtime = runtimeFiles();
  const bill = billOfMaterials(root, runtime.packages);
  const project = PROJECT_FOLDERS.flatMap((folder) => folderFiles(join(root, folder), `${HOME}/${folder}`, ['node_modules']));
  const { version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>;
  return archiveImage({
    reference,
    architecture,
    settings: IMAGE_SETTINGS,
    labels: {
      'org.opencontainers.image.title': 'assay',
      'org.opencontainers.image.description': description!,
      'org.opencontainers.image.version': version!,
      'org.opencontainers.image.licenses': license!,
      'assay.sbom.path': `/${BILL_PATH}`,
      'assay.sbom.digest': digestOf(Buffer.from(bill)),
    },
    layers: [
      {
        layer: await packLayer(runtime.entries),
        madeBy: `runtime: Node ${process.versions.node} and the libraries that it is linked with`,
      },
      { layer: await packLayer(dependencyFiles(root, HOME)), madeBy: 'dependencies: the production packages of package-lock.json' },
      {
        layer: await packLayer([
          ...project,
          fileAt(join(root, 'package.json'), `${HOME}/package.json`),
          fileAt(join(root, 'LICENSE'), `${HOME}/LICENSE`),
          textFile(BILL_PATH, bill),
        ]),
        madeBy: 'the service, the command line, and the list of all parts',
      },
    ],
  });
}
