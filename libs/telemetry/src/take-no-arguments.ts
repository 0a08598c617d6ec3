/**
 * Ends a service that was started with arguments: it reads its settings from the environment alone. `--help` prints their names and ends with 0; anything
 * else is told with the names, and ends with 2.
 * @param program how the service is started, such as `npm start`
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
