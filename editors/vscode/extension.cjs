// Starts `assay lsp` and connects it to the editor. All that is answered comes from there.
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

exports.activate = async () => {
  const settings = vscode.workspace.getConfiguration('assay');
  const [command, ...given] = settings.get('command');
  const args = [...given, '--stdio', ...settings.get('definitions')];
  client = new LanguageClient(
    'assay',
    'Assay',
    { command, args },
    {
      documentSelector: [{ language: 'yaml' }, { language: 'json' }, { language: 'go' }],
      initializationOptions: { kubernetesVersions: settings.get('kubernetesVersions') },
      synchronize: { configurationSection: 'assay' },
    },
  );
  await client.start();
};

exports.deactivate = () => client?.stop();
