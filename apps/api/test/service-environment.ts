/**
 * Returns the environment for a process of the service: the variables of this process and `settings`. The variables of Assay for tests are
 * missing, because the service warns of them.
 */
export function serviceEnvironment(settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('ASSAY_'));
  return { ...Object.fromEntries(others), ...settings };
}
