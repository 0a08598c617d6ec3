import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { fileAt, textFile } from './folder-files.ts';
import type { LayerEntry } from './layer.ts';

/** Debian package that contains a shared library of the image, for the list of the image's parts. */
export interface SystemPackage {
  name: string;
  version: string;
}

/** Files of the runtime: the Node that runs this process, its shared libraries, users, and certificates. The runtime contains no shell. */
export interface RuntimeFiles {
  entries: LayerEntry[];
  packages: SystemPackage[];
}

/** The user of all processes. It is a number, because Kubernetes cannot check that a user name does not mean root. */
export const USER = 1000;

/**
 * Collects the files of the running Node, whose version package.json pins. Libraries come from this machine, together with the licences of
 * the Debian packages that own them. Throws on a machine without dpkg, because names and versions of the packages are then unknown.
 */
export function runtimeFiles(): RuntimeFiles {
  const libraries = sharedLibraries(process.execPath);
  const packages = [...new Set(libraries.map(owningPackage))].sort();
  return {
    entries: [
      fileAt(process.execPath, 'usr/local/bin/node'),
      fileAt(join(dirname(process.execPath), '../LICENSE'), 'usr/share/doc/node/LICENSE'),
      ...libraries.map((path): LayerEntry => ({ ...fileAt(realpathSync(path), path.slice(1)) })),
      ...packages.map((name) => fileAt(`/usr/share/doc/${name}/copyright`, `usr/share/doc/${name}/copyright`)),
      textFile('etc/passwd', `root:x:0:0:root:/root:/sbin/nologin\nnode:x:${USER}:${USER}:node:/home/node:/sbin/nologin\n`),
      textFile('etc/group', `root:x:0:\nnode:x:${USER}:\n`),
      textFile('etc/nsswitch.conf', 'hosts: files dns\n'),
      // These are the certificates that Node trusts by default, for programs and options that use the system's certificates.
      textFile('etc/ssl/certs/ca-certificates.crt', `${rootCertificates.join('\n')}\n`),
      { path: 'home/node', kind: 'folder', owner: USER },
      { path: 'data', kind: 'folder', owner: USER },
      // The last folders are for mounts. Assay itself writes nothing there.
      { path: 'tmp', kind: 'folder', owner: USER },
      { path: 'proc', kind: 'folder' },
      { path: 'dev', kind: 'folder' },
    ],
    packages: packages.map((name) => ({ name, version: run('dpkg-query', ['-W', '-f', '${Version}', name]) })),
  };
}

/** Returns the absolute paths of the libraries that the loader would open for a program, and of the loader itself. */
function sharedLibraries(program: string): string[] {
  const lines = run('ldd', [program]).split('\n');
  const paths = lines.flatMap((line) => /(?:=> )?(\/\S+) \(0x/.exec(line)?.[1] ?? []);
  if (paths.length === 0) throw new Error(`ldd names no libraries of ${program}`);
  return [...new Set(paths)].sort();
}

/**
 * Returns the Debian package that owns a file. In Debian 12, /lib and /usr/lib are the same folder, but dpkg lists each file under only one
 * path.
 */
function owningPackage(path: string): string {
  const names = [
    path,
    path.startsWith('/usr') ? path.slice('/usr'.length) : `/usr${path}`,
    realpathSync(path),
    realpathSync(path).slice('/usr'.length),
  ];
  for (const name of names.filter((candidate) => existsSync(candidate))) {
    try {
      return run('dpkg-query', ['-S', name]).split(':')[0]!;
    } catch {
      continue;
    }
  }
  throw new Error(`no Debian package owns ${path}: build the image on Debian, or from the Dockerfile`);
}

function run(command: string, given: readonly string[]): string {
  return execFileSync(command, given, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}
