/**
 * Ends the process if it was started with arguments, because the service reads its settings only from the environment. `--help` prints the
 * names of the settings and exits with 0. Any other argument prints an error with these names and exits with 2.
 *
 * @param program command that starts the service, such as `npm start`
 */
export function takeNoArguments(program: string, settings: readonly string[]): void {
  const given = process.argv.slice(2);
  if (given.length === 0) return;
  const usage = `usage: [SETTING=VALUE…] ${program}\n\nSettings (docs/reference/settings.md): ${settings.join(', ')}\n`;
  if (given.includes('--help') || given.includes('-h')) {
    process.stdout.write(usage);
    process.exit(0);
  }
  process.stderr.write(`no arguments are taken, not ${given.join(' ')}\n${usage}`);
  process.exit(2);
}
