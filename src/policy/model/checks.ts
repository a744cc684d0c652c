/** Every check of the gate by name, so that a test can take each one out and show that it is missed. */
export const CHECKS = [
  'limits',
  'byte_filter',
  'positive_list',
  'coverage',
  'literal_words',
  'second_opinion',
  'option_models',
  'globs',
  'catastrophic_words',
  'catastrophic_scan',
  'grave',
  'environment',
  'headless_operators',
  'own_files',
  'programs',
  'shell_state',
  'directory',
  'repository',
] as const
export type GateCheck = (typeof CHECKS)[number]
