// The suites that judge mutants. Stryker runs them in its copy of the tree.
const { projects, testTimeout } = require('../../jest.config.cjs');

const [{ rootDir, roots, runtime, transform }] = projects;

/** @type {import('jest').Config} */
module.exports = {
  rootDir,
  roots,
  // Stryker loads it itself, and knows no <rootDir>.
  testEnvironment: require.resolve('../jest/process-environment.cjs'),
  runtime,
  transform,
  testTimeout,
  setupFiles: ['<rootDir>/test/mutation/first-failure.cjs'],
  testRegex: [
    'conformance/(algorithms|congestion-control|switch-generated)',
    'unit/controller/plan/',
    'unit/emulator/kernel/',
    'unit/host-agent/(algorithm|carrier|coordination|feedback|traffic|transport)/',
    'unit/switch/(codegen|tables)/',
  ].map((start) => `/build/test/${start}.*\\.test\\.js$`),
  // Every survivor would run them: what only they notice counts as not noticed.
  testPathIgnorePatterns: ['opening-forged', 'feedback-faults'],
  watchman: false,
};
