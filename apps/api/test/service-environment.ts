/**
 * Returns the environment for a process of the service: that of the tests, and `settings`. Variables of Assay that are for the tests are left
 * out, because the service warns of them.
 */
export function serviceEnvironment(settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('ASSAY_'));
  return { ...Object.fromEntries(others), ...settings };
}
