// Packages editors/vscode for Visual Studio Code: bundles the extension with its client library, and writes dist/assay.vsix.
//   node scripts/package-vscode.mjs [FILE]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'editors/vscode');

/** Writes the package of the VS Code extension. The same sources always produce the same bytes. */
export async function packageVsCode(file = join(root, 'dist/assay.vsix')) {
  const description = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = {
    'extension.vsixmanifest': manifest(description),
    '[Content_Types].xml': CONTENT_TYPES,
    'extension/package.json': JSON.stringify(description, null, 2),
    'extension/extension.cjs': await bundledExtension(),
    'extension/readme.md': readFileSync(join(folder, 'README.md'), 'utf8'),
    'extension/LICENSE.txt': readFileSync(join(root, 'LICENSE'), 'utf8'),
  };
  const entries = Object.entries(files).map(([name, text]) => [name, [strToU8(text), { mtime: '1980-01-01T00:00:00' }]]);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, zipSync(Object.fromEntries(entries)));
  return file;
}

/** Bundles the extension with its dependencies into one file. The editor's module `vscode` is not included. */
async function bundledExtension() {
  const bundle = await rolldown({ cwd: folder, input: 'extension.cjs', platform: 'node', external: ['vscode'] });
  const { output } = await bundle.generate({ format: 'cjs', minify: true, codeSplitting: false });
  await bundle.close();
  return output[0].code;
}

const CONTENT_TYPES = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${[
  ['json', 'application/json'],
  ['cjs', 'application/javascript'],
  ['md', 'text/markdown'],
  ['txt', 'text/plain'],
  ['vsixmanifest', 'text/xml'],
]
  .map(([extension, type]) => `<Default Extension=".${extension}" ContentType="${type}"/>`)
  .join('')}</Types>
`;

function manifest({ name, publisher, version, displayName, description, categories, engines }) {
  const text = (words) => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/>
    <DisplayName>${text(displayName)}</DisplayName>
    <Description xml:space="preserve">${text(description)}</Description>
    <Categories>${categories.map(text).join(',')}</Categories>
    <Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value="${engines.vscode}"/></Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/readme.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
`;
}

if (process.argv[1] === import.meta.filename) console.log(await packageVsCode(process.argv[2]));
