import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { productionPackages } from './dependency-files.ts';
import type { SystemPackage } from './runtime-files.ts';

/**
 * Returns the list of all parts of the image as CycloneDX JSON. The parts are production packages with digests and licences, Node, and the
 * Debian packages of the runtime. The list contains neither a serial number nor a time, so that the same parts produce the same text.
 *
 * `npm sbom` is not used, because it leaves out packages that a workspace needs for development, such as fastify.
 */
export function billOfMaterials(root: string, system: readonly SystemPackage[]): string {
  const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string; license: string };
  const libraries = productionPackages(root)
    .filter(({ target }) => target === undefined)
    .map(({ path, version: installed, integrity, license: terms }) => ({
      ...part(npmName(path), installed!, `pkg:npm/${npmName(path).replace('@', '%40')}@${installed}`),
      // The same version may be installed in two places.
      'bom-ref': path,
      ...(terms !== undefined && { licenses: [{ expression: terms }] }),
      ...(integrity !== undefined && { hashes: [npmDigest(integrity)] }),
    }));
  const components = [
    ...libraries,
    part('node', process.versions.node, `pkg:generic/node@${process.versions.node}`),
    ...system.map((debian) => part(debian.name, debian.version, `pkg:deb/debian/${debian.name}@${encodeURIComponent(debian.version)}`)),
  ];
  // The type is not `pkg:npm/assay`, because that package belongs to another project.
  const component = { ...part('assay', version, `pkg:generic/assay@${version}`), type: 'application', licenses: [{ expression: license }] };
  const bill = { $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json', bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 };
  return `${JSON.stringify({ ...bill, metadata: { component }, components }, null, 1)}\n`;
}

const part = (name: string, version: string, purl: string) => ({ 'bom-ref': purl, type: 'library', name, version, purl });

/** Returns the package name for a folder such as `node_modules/a/node_modules/@scope/b`. */
function npmName(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Converts a digest of a lock file (`sha512-` and Base64) into the format of CycloneDX. */
function npmDigest(integrity: string): { alg: string; content: string } {
  const [algorithm, value] = integrity.split(/-(.*)/s);
  return { alg: algorithm!.toUpperCase().replace('SHA', 'SHA-'), content: Buffer.from(value!, 'base64').toString('hex') };
}
